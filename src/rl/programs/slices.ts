/**
 * Slices of a batch: parts whose gradients are computed side by side, and the buffers that hold them until
 * they are averaged. A slice's program has its own `SLICE` symbols in addition to those of its member.
 */
import {
  dimValue,
  div,
  greater,
  mul,
  reshape,
  type Shape,
  type State,
  select,
  state,
  sum,
  sumAll,
  sym,
  type Tensor,
} from "../../kernels/index.ts";
import type { Learned } from "../contract/definition.ts";
import { SYMBOLS } from "../contract/inputs.ts";
import type { Algorithm } from "../contract/onPolicy.ts";
import { type AgentStructure, type Gradients, gradientsOf, type Learner, trainedBy } from "./learning.ts";
import type { Part } from "./minibatches.ts";

/** Number of slices per batch. */
const slices = sym(SYMBOLS.slices);

/**
 * Symbols of one slice: its index, its first row or sequence in the batch, and its number of rows or
 * sequences.
 */
export const SLICE = { index: "slice", first: "slice_first", size: "slice_size" } as const;

/** The part of every batch that belongs to the program's slice. */
export const slicePart: Part = { first: sym(SLICE.first), size: sym(SLICE.size) };

/** A buffer with a value for every slice, [slices, ...]. */
const sliced = (name: string, shape: Shape = []): State => state(`slices.${name}`, [slices, ...shape]);

/** Number of rows that count in each slice. */
const weights = (): State => sliced("weight");
const valueOf = (name: string, shape?: Shape): State => sliced(`value.${name}`, shape);
const gradientOf = ({ decl: { name, shape } }: State): State => sliced(`gradient.${name}`, shape);

/** Writes the results of a program's own slice. */
export interface OwnSlice {
  /** Number of rows that count, f32; at 0, everything else of the slice is ignored. */
  readonly leaveWeight: (weight: Tensor) => void;
  /** Writes the gradients of the losses, and values by name. */
  readonly leaveLearned: (
    structure: AgentStructure,
    learner: Learner,
    losses: Learned["losses"],
    values: Readonly<Record<string, Tensor>>,
  ) => void;
}

export function ownSlice(): OwnSlice {
  const own = reshape(dimValue(sym(SLICE.index), "i32"), [1]);
  const leave = (to: State, value: Tensor) => to.writeRows(own, reshape(value, [1, ...value.shape]));
  return {
    leaveWeight: (weight) => leave(weights(), weight),
    leaveLearned: (structure, learner, losses, values) => {
      for (const [name, byPart] of Object.entries(gradientsOf(structure, learner, losses))) {
        for (const [i, part] of trainedBy(structure, learner, name).entries())
          for (const [j, { parameter }] of part.entries())
            leave(gradientOf(parameter), byPart[i]?.[j] as Tensor);
      }
      for (const [name, value] of Object.entries(values)) leave(valueOf(name, value.shape), value);
    },
  };
}

/** The averaged results of all slices: means over all rows that count, summed in the order of the slices. */
export interface Averaged {
  readonly gradients: Gradients;
  /** Mean of a named value, of the given shape (default: a scalar). */
  readonly value: (name: string, shape?: Shape) => Tensor;
  readonly metrics: Readonly<Record<string, Tensor>>;
}

/** Learning that happens in every step, or delayed learning. */
export type LearningPart = "every" | "delayed";

/** @param part Part of the learning whose optimisers and metrics are averaged. */
export function averaged(
  structure: AgentStructure,
  learner: Learner,
  part: LearningPart = "every",
): Averaged {
  const { algorithm } = structure;
  const weight = weights().read();
  const total = sumAll(weight);
  const mean = (of: State): Tensor => {
    const values = of.read();
    const share = reshape(weight, [slices, ...values.shape.slice(1).map(() => 1)]);
    // Slices without rows still hold values of another batch.
    return div(sum(select(greater(share, 0), mul(values, share), 0), 0), total);
  };
  const value = (name: string, shape?: Shape) => mean(valueOf(name, shape));
  return {
    gradients: Object.fromEntries(
      namesIn(part, algorithm, "optimizers").map((name) => [
        name,
        trainedBy(structure, learner, name).map((parameters) =>
          parameters.map(({ parameter }) => mean(gradientOf(parameter))),
        ),
      ]),
    ),
    value,
    metrics: Object.fromEntries(namesIn(part, algorithm, "metrics").map((name) => [name, value(name)])),
  };
}

/** Names of the algorithm's optimisers or metrics that belong to a part of its learning. */
function namesIn(
  part: LearningPart,
  algorithm: Algorithm,
  kind: "optimizers" | "metrics",
): readonly string[] {
  const delayed = (algorithm.kind === "off_policy" && algorithm.delayed?.[kind]) || [];
  if (part === "delayed") return delayed;
  const all = kind === "optimizers" ? Object.keys(algorithm.optimizers) : algorithm.metrics;
  return all.filter((name) => !delayed.includes(name));
}
