/** Spaces in the format of Minari's metadata: the inverse of minari/minariSpace.ts. */
import type { SimpleSpace, SingleAgentSpace } from "../../rl/spaces.ts";

/** Python's json module writes infinities bare, although JSON has no such numbers. */
const number = (x: number): string =>
  Number.isFinite(x) ? String(x) : x > 0 ? "Infinity" : x < 0 ? "-Infinity" : "NaN";

/** Numbers as nested lists. */
function nested(values: ArrayLike<number>, shape: readonly number[]): string {
  const [first = 1, ...rest] = shape;
  if (shape.length === 0) return number(values[0] ?? 0);
  const size = values.length / first;
  const parts = Array.from({ length: first }, (_, i) =>
    nested(Array.from(values).slice(i * size, (i + 1) * size), rest),
  );
  return `[${parts.join(", ")}]`;
}

function simple(space: SimpleSpace): string {
  switch (space.kind) {
    case "Box": {
      const { dtype, shape, low, high } = space;
      return `{"type": "Box", "dtype": "${dtype}", "shape": [${shape.join(", ")}], "low": ${nested(low, shape)}, "high": ${nested(high, shape)}}`;
    }
    case "Discrete":
      return `{"type": "Discrete", "dtype": "int64", "start": ${space.start}, "n": ${space.n}}`;
    case "MultiDiscrete": {
      const zeros = space.nvec.map(() => 0);
      return `{"type": "MultiDiscrete", "dtype": "int64", "nvec": [${space.nvec.join(", ")}], "start": [${zeros.join(", ")}]}`;
    }
    case "MultiBinary": {
      const n = space.shape.length === 1 ? String(space.n) : `[${space.shape.join(", ")}]`;
      return `{"type": "MultiBinary", "n": ${n}}`;
    }
  }
}

/** JSON text of a space. */
export function minariSpaceJson(space: SingleAgentSpace): string {
  switch (space.kind) {
    case "Dict": {
      const parts = Object.entries(space.spaces).map(
        ([key, own]) => `${JSON.stringify(key)}: ${simple(own)}`,
      );
      return `{"type": "Dict", "subspaces": {${parts.join(", ")}}}`;
    }
    case "Tuple":
      return `{"type": "Tuple", "subspaces": [${space.spaces.map(simple).join(", ")}]}`;
    default:
      return simple(space);
  }
}
