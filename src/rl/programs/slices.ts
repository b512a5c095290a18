/**
 * Slices of a batch: parts whose gradients are computed side by side, and the buffers that hold them until they are
 * averaged. A program of one slice has its own `SLICE` symbols beside those of its member.
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
import type { Algorithm } from "../contract/algorithm.ts";
import type { Learned } from "../contract/definition.ts";
import { SYMBOLS } from "../contract/inputs.ts";
import { type AgentStructure, type Gradients, gradientsOf, type Learner, trainedBy } from "./learning.ts";
import type { Part } from "./minibatches.ts";

/** Slices of a batch. */
const slices = sym(SYMBOLS.slices);

/** Symbols of one slice: its number from 0 on, its first row or sequence in the batch, and how many it has. */
export const SLICE = { index: "slice", first: "slice_first", size: "slice_size" } as const;

/** What of every batch the program's slice has. */
export const slicePart: Part = { first: sym(SLICE.first), size: sym(SLICE.size) };

/** A value of every slice, [slices, ...]. */
const sliced = (name: string, shape: Shape = []): State => state(`slices.${name}`, [slices, ...shape]);

/** Number of rows of each slice that count. */
const weights = (): State => sliced("weight");
const valueOf = (name: string, shape?: Shape): State => sliced(`value.${name}`, shape);
const gradientOf = ({ decl: { name, shape } }: State): State => sliced(`gradient.${name}`, shape);

/** What a program leaves of its own slice. */
export interface OwnSlice {
  /** How many rows count, f32; while it is 0, all else of the slice is ignored. */
  readonly leaveWeight: (weight: Tensor) => void;
  /** The gradients of the losses, and values by name. */
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

/** What all slices learned together: means over all rows that count, summed in the order of the slices. */
export interface Averaged {
  readonly gradients: Gradients;
  /** A number, or numbers of the given shape. */
  readonly value: (name: string, shape?: Shape) => Tensor;
  readonly metrics: Readonly<Record<string, Tensor>>;
}

/** Learning that comes with every step, or the delayed one. */
export type LearningPart = "every" | "delayed";

/** @param part Of whose optimisers and metrics. */
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
    // What stands in slices without rows is of another batch.
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

/** The algorithm's names that belong to a part of its learning. */
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
