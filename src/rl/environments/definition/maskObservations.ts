import { column, stackColumns } from "../../../kernels/index.ts";
import { Box } from "../../spaces.ts";
import { appearanceOf } from "./Appearance.ts";
import { type CompiledEnvironment, dynamicsOf } from "./compiledEnvironment.ts";

/**
 * The environment with only some of the observation's numbers. It is partially observable, so agents need
 * memory.
 *
 * @param columns Indices of the numbers to keep, in the order of the new observation.
 * @throws RangeError when the observation space is not a one-dimensional Box, or a column is out of range or
 * repeated.
 *
 * @example
 * ```ts
 * import { CartPole } from "rlkit/rl";
 *
 * registerEnvironment(maskObservations(CartPole, [0, 2], "mine/CartPole-masked-v0"));
 * ```
 */
export function maskObservations(
  environment: CompiledEnvironment,
  columns: readonly number[],
  id: string,
): CompiledEnvironment {
  const { observation_space: space } = environment;
  if (!(space instanceof Box) || space.shape.length !== 1)
    throw new RangeError(
      `${id}: found observations of ${space.kind} [${space.shape.join(", ")}], allowed Box [k]`,
    );
  const width = space.low.length;
  const known = columns.every((c) => Number.isInteger(c) && c >= 0 && c < width);
  if (columns.length === 0 || !known || new Set(columns).size < columns.length) {
    throw new RangeError(
      `${id}: columns: found [${columns.join(", ")}], allowed one or more of 0 to ${width - 1}, each once`,
    );
  }
  const kept = (bounds: ArrayLike<number>): number[] => columns.map((c) => bounds[c] as number);
  const { withOptions, observation_names: names, ...own } = environment;
  return {
    ...own,
    ...(withOptions && { withOptions: (options) => maskObservations(withOptions(options), columns, id) }),
    id,
    observation_space: new Box({ low: kept(space.low), high: kept(space.high), dtype: space.dtype }),
    ...appearanceOf(environment),
    ...(names && { observation_names: columns.map((c) => names[c] as string) }),
    ...dynamicsOf(environment),
    observe: (state) => {
      const seen = environment.observe(state);
      return stackColumns(columns.map((c) => column(seen, c)));
    },
  };
}
