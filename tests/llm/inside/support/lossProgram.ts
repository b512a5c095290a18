/** A loss of an algorithm as a program of its own, with states for inputs, loss, metrics and gradients. */
import {
  type Binding,
  type Dim,
  grad,
  mulDims,
  type Program,
  type Shape,
  state,
  sym,
  type Tensor,
  trace,
  WasmDevice,
} from "../../../../src/kernels/index.ts";
import type {
  DatasetBatch,
  GradientAlgorithm,
  InputShape,
  LossInputs,
  RolloutBatch,
} from "../../../../src/llm/algorithms/contract.ts";
import { type Buffers, runOnDevice } from "../../../kernels/support/run.ts";

/** Rows, columns and turns of a program. */
export interface Sizes {
  readonly rows: Dim;
  readonly columns: Dim;
  readonly turns: Dim;
}

/** Sizes that are bound at run time; rows come in samples of so many. */
export const openSizes = (rowsPerSample = 1): Sizes => ({
  rows: mulDims(rowsPerSample, sym("samples")),
  columns: sym("columns"),
  turns: sym("turns"),
});

const shapeOf = (shape: InputShape, { rows, columns, turns }: Sizes): Shape => {
  if (shape === "row") return [rows];
  if (shape === "row_column") return [rows, columns];
  return shape === "row_turn" ? [rows, turns] : [rows, turns, columns];
};

const hasCritic = <S>(algorithm: GradientAlgorithm<S>): boolean =>
  algorithm.kind === "rollout" && algorithm.critic;

/** States: log_probs, values, row_weight, input.*, scalar.*; loss, metric.*, grad.log_probs, grad.values. */
export function lossProgram<S>(
  algorithm: GradientAlgorithm<S>,
  spec: S,
  sizes: Sizes,
  { gradients = true }: { readonly gradients?: boolean } = {},
): Program {
  return trace("loss", () => {
    const places: Shape = [sizes.rows, sizes.columns];
    const log_probs = state("log_probs", places).read();
    const values = hasCritic(algorithm) ? state("values", places).read() : null;
    const shapes = algorithm.inputs(spec);
    const scalars = algorithm.scalars(spec);
    const { loss, metrics } = algorithm.loss(
      {
        ...sizes,
        log_probs,
        values,
        row_weight: state("row_weight", [sizes.rows]).read(),
        input: (name) => {
          const shape = shapes[name];
          if (!shape) throw new RangeError(`the loss reads ${name}, which the algorithm does not declare`);
          return state(`input.${name}`, shapeOf(shape, sizes)).read();
        },
        ofStep: (mean) => mean,
        scalar: (name) => {
          if (!Object.hasOwn(scalars, name)) throw new RangeError(`the loss reads ${name}, no scalar`);
          return state(`scalar.${name}`).read();
        },
      },
      spec,
    );
    state("loss").write(loss);
    for (const [name, metric] of Object.entries(metrics)) state(`metric.${name}`).write(metric);
    if (!gradients) return;
    const targets = values ? [log_probs, values] : [log_probs];
    grad(loss, targets).forEach((gradient: Tensor, i) => {
      state(i === 0 ? "grad.log_probs" : "grad.values", places).write(gradient);
    });
  });
}

const prefixed = (prefix: string, values: Readonly<Record<string, ArrayLike<number>>>): Buffers =>
  Object.fromEntries(Object.entries(values).map(([name, x]) => [`${prefix}.${name}`, Array.from(x)]));

/** What one micro-batch of a batch is made of. */
export interface Point {
  readonly batch: RolloutBatch | DatasetBatch;
  readonly inputs: LossInputs;
  readonly log_probs: Float32Array;
  readonly values?: Float32Array;
  readonly row_weight?: readonly number[];
}

/** Initial contents of the states. */
export const buffersAt = <S>(algorithm: GradientAlgorithm<S>, spec: S, point: Point): Buffers => ({
  log_probs: [...point.log_probs],
  ...(point.values ? { values: [...point.values] } : {}),
  row_weight: point.row_weight ?? Array.from({ length: point.batch.rows }, () => 1),
  ...prefixed("input", point.inputs),
  ...prefixed(
    "scalar",
    Object.fromEntries(Object.entries(algorithm.scalars(spec)).map(([name, x]) => [name, [x]])),
  ),
});

export const rowsPerSample = <S>(algorithm: GradientAlgorithm<S>): number =>
  algorithm.kind === "dataset" ? algorithm.rows_per_sample : 1;

export const bindingOf = <S>(algorithm: GradientAlgorithm<S>, { batch }: Point): Binding => ({
  samples: batch.rows / rowsPerSample(algorithm),
  columns: batch.columns,
  turns: "turns" in batch ? batch.turns : 1,
});

/** What a loss gives: numbers by name, gradients as arrays. */
export interface Evaluated {
  readonly loss: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly gradient: readonly number[];
  readonly valueGradient: readonly number[];
}

const device = new WasmDevice();

/** Runs the loss on the wasm device, with sizes as symbols or, `fixed`, as numbers. */
export async function evaluateLoss<S>(
  algorithm: GradientAlgorithm<S>,
  spec: S,
  point: Point,
  { fixed = false }: { readonly fixed?: boolean } = {},
): Promise<Evaluated> {
  const { rows, columns } = point.batch;
  const turns = "turns" in point.batch ? point.batch.turns : 1;
  const sizes = fixed ? { rows, columns, turns } : openSizes(rowsPerSample(algorithm));
  const program = lossProgram(algorithm, spec, sizes);
  const binding = fixed ? {} : bindingOf(algorithm, point);
  const after = await runOnDevice(device, program, binding, buffersAt(algorithm, spec, point));
  const metrics = Object.entries(after).flatMap(([name, [value]]) =>
    name.startsWith("metric.") ? [[name.slice("metric.".length), value ?? Number.NaN] as const] : [],
  );
  return {
    loss: after.loss?.[0] ?? Number.NaN,
    metrics: Object.fromEntries(metrics),
    gradient: after["grad.log_probs"] ?? [],
    valueGradient: after["grad.values"] ?? [],
  };
}
