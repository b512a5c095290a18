/** Programs made of one case of the list of operations. */
import type { Binding, Dim, Program, Tensor } from "../../../src/kernels/index.ts";
import * as kernels from "../../../src/kernels/index.ts";
import { evalDim, grad, mulDims, sizeOf, state, sumAll, trace } from "../../../src/kernels/index.ts";
import { numbers } from "./numbers.ts";
import { type Contents, type Dims, dtypeOf, type Kernels, type OperationCase } from "./operationCases.ts";

export interface Sizes {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export const symbolic: Dims = { a: kernels.sym("a"), b: kernels.sym("b"), c: kernels.sym("c") };

export interface OperationProgram {
  readonly program: Program;
  /** Names of f32 inputs; `grad.<name>` holds the gradient of `loss`. */
  readonly differentiated: readonly string[];
  readonly outputs: readonly string[];
}

/**
 * Writes the results to `out0`, ..., and when the case is smooth and `withGradients`, the scalar
 * sum(out . weight) to `loss` and its gradients to `grad.in0`, ...
 */
export function operationProgram(
  operation: OperationCase,
  dims: Dims,
  withGradients: boolean,
  k: Kernels = kernels,
): OperationProgram {
  const outputs: string[] = [];
  const differentiated: string[] = [];
  const program = trace(operation.name, () => {
    const inputs = operation.inputs.map(({ shape, contents }, i) =>
      state(`in${i}`, shape(dims), { dtype: dtypeOf(contents) }).read(),
    );
    const results = operation.build(k, inputs, dims);
    results.forEach((t, i) => {
      outputs.push(`out${i}`);
      state(`out${i}`, t.shape, { dtype: t.dtype }).write(t);
    });
    const losses = results.flatMap((t, i) =>
      t.dtype === "f32" ? sumAll(kernels.mul(t, state(`weight${i}`, t.shape).read())) : [],
    );
    if (!operation.smooth || losses.length === 0) return;
    const loss = losses.reduce((x, y) => kernels.add(x, y));
    state("loss").write(loss);
    if (!withGradients) return;
    const targets = inputs.flatMap((t, i) => (t.dtype === "f32" ? [{ t, name: `in${i}` }] : []));
    grad(
      loss,
      targets.map(({ t }) => t),
    ).forEach((g: Tensor, i) => {
      const { t, name } = targets[i] as (typeof targets)[number];
      differentiated.push(name);
      state(`grad.${name}`, t.shape).write(g);
    });
  });
  return { program, differentiated, outputs };
}

/** Input and weight values of a case. */
export function operationValues(
  { inputs }: OperationCase,
  { program }: OperationProgram,
  dims: Dims,
  binding: Binding,
  seed: number,
): Record<string, number[]> {
  const next = numbers(seed);
  const size = (shape: readonly Dim[]) => evalDim(shape.length === 0 ? 1 : mulDims(...shape), binding);
  const values: Record<string, number[]> = {};
  inputs.forEach(({ shape, contents }, i) => {
    values[`in${i}`] = contentsOf(contents, size(shape(dims)), next, dims, binding);
  });
  for (const { name, shape } of program.states.values())
    if (name.startsWith("weight"))
      values[name] = Array.from({ length: evalDim(sizeOf(shape), binding) }, () => 0.5 + next());
  return values;
}

function contentsOf(
  contents: Contents,
  size: number,
  next: () => number,
  dims: Dims,
  binding: Binding,
): number[] {
  const fill = (value: () => number) => Array.from({ length: size }, () => Math.fround(value()));
  if (typeof contents === "object") {
    const below = evalDim(contents.below(dims), binding);
    return fill(() => Math.floor(next() * below));
  }
  switch (contents) {
    case "real":
      return fill(() => 4 * next() - 2);
    case "positive":
      return fill(() => 0.2 + 3 * next());
    case "awayFromZero":
      return fill(() => (next() < 0.5 ? -1 : 1) * (0.3 + 2 * next()));
    case "apart": {
      // A random order of points 0.05 apart, moved off the places where cases have their kinks.
      const shift = Math.floor(size * next());
      const step = [7, 11, 13, 17].find((s) => size % s !== 0) ?? 1;
      return Array.from({ length: size }, (_, i) =>
        Math.fround((((i * step + shift) % size) - size / 2) * 0.05 + 0.0173 + 0.0101 * next()),
      );
    }
    case "i32":
      return Array.from({ length: size }, () => Math.floor(next() * 2 ** 32) - 2 ** 31);
    case "u32":
      return Array.from({ length: size }, () => Math.floor(next() * 2 ** 32));
    case "bool":
      return fill(() => Math.floor(next() * 2));
  }
}
