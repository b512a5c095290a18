/**
 * Fills the tensors of a changed network from its old tensors. Parts present in both are kept, aligned by
 * segment. New outputs of a layer are freshly initialised and new inputs start at zero, so that units added
 * to a layer do not change the network's output (exactly, where no normalisation couples the units).
 */
import type { Axis, TensorSpec } from "./tensorSpec.ts";
import { axisSize, tensorShape, tensorSize } from "./tensorSpec.ts";

type Tensors = Record<string, Float32Array>;

/** One tensor of the new network. */
export interface TensorCopy {
  readonly spec: TensorSpec;
  /** Old shape of the tensor of the same name; null when there is nothing to copy from. */
  readonly from: readonly number[] | null;
  /** For each axis, the old position of every new position, or -1 if it did not exist. */
  readonly positions: readonly Int32Array[];
  /** True if no position moved: the values are copied unchanged. */
  readonly unchanged: boolean;
}

export type CopyPlan = readonly TensorCopy[];

function alignAxis(before: Axis, after: Axis): Int32Array {
  const positions = new Int32Array(axisSize(after)).fill(-1);
  const starts = new Map<string, { start: number; size: number }>();
  let start = 0;
  for (const { label, size } of before) {
    starts.set(label, { start, size });
    start += size;
  }
  let to = 0;
  for (const { label, size } of after) {
    const known = starts.get(label);
    for (let i = 0; known && i < Math.min(size, known.size); i++) positions[to + i] = known.start + i;
    to += size;
  }
  return positions;
}

/** Plans the copy from one list of tensors to another. Tensors are matched by name. */
export function planCopy(before: readonly TensorSpec[], after: readonly TensorSpec[]): CopyPlan {
  const known = new Map(before.map((spec) => [spec.name, spec]));
  return after.map((spec) => {
    const old = known.get(spec.name);
    if (!old || old.axes.length !== spec.axes.length) {
      return { spec, from: null, positions: [], unchanged: false };
    }
    const from = tensorShape(old);
    const positions = spec.axes.map((axis, i) => alignAxis(old.axes[i] as Axis, axis));
    const unchanged = positions.every((p, i) => p.length === from[i] && p.every((at, j) => at === j));
    return { spec, from, positions, unchanged };
  });
}

/** Fills `target` from `source` wherever every axis has an old position; `newInputs` decides the rest. */
function fill(
  target: Float32Array,
  { spec, from, positions }: TensorCopy,
  source: Float32Array,
  newInputs: "zero" | "keep",
): void {
  const shape = tensorShape(spec);
  const index = shape.map(() => 0);
  for (let flat = 0; flat < target.length; flat++) {
    let rest = flat;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] as number;
      index[axis] = rest % size;
      rest = Math.floor(rest / size);
    }
    let at = 0;
    let isOld = true;
    for (let axis = 0; axis < shape.length; axis++) {
      const position = positions[axis]?.[index[axis] as number] as number;
      if (position < 0) {
        isOld = false;
        if (newInputs === "zero" && spec.inputAxes?.includes(axis)) target[flat] = 0;
      }
      at = at * ((from as readonly number[])[axis] as number) + position;
    }
    if (isOld) target[flat] = source[at] as number;
  }
}

/** Returns initial values for a tensor; `added`: the network did not have it before. */
export type FreshValues = (spec: TensorSpec, added: boolean) => Float32Array;

/** Returns the new network's weights. They share no memory with `tensors`.
 * @throws TypeError when a tensor that the plan reads is missing. */
export function copyWeights(plan: CopyPlan, tensors: Readonly<Tensors>, fresh: FreshValues): Tensors {
  return Object.fromEntries(
    plan.map((copy) => {
      const { spec, from, unchanged } = copy;
      if (from === null) return [spec.name, fresh(spec, true)];
      const source = tensors[spec.name];
      if (!source) throw new TypeError(`tensor "${spec.name}" is missing`);
      if (unchanged) return [spec.name, source.slice()];
      const target = fresh(spec, false);
      fill(target, copy, source, "zero");
      return [spec.name, target];
    }),
  );
}

const meanOf = (tensors: readonly Float32Array[]): number => {
  let sum = 0;
  let count = 0;
  for (const values of tensors) {
    for (const value of values) sum += value;
    count += values.length;
  }
  return count === 0 ? 0 : sum / count;
};

/**
 * Returns an optimiser's moments for the new network: they stay with their weights. A new weight's moment
 * starts at zero, or at the mean of its tensor's moments (of all `moments` if the whole tensor is new).
 * Second moments need the mean: Adam's step count continues, so its bias correction no longer compensates for
 * a zero moment. With a second moment of zero, the first steps of a weight would be several learning rates
 * long.
 * @param prefix Prefix of the tensor names ("actor."). Moments of other networks are kept; an optimiser
 *   without moments for this network gets none.
 */
export function copyMoments(
  plan: CopyPlan,
  moments: Readonly<Tensors>,
  prefix: string,
  newWeights: "zero" | "mean",
): Tensors {
  const others = Object.entries(moments).filter(([name]) => !name.startsWith(prefix));
  if (others.length === Object.keys(moments).length) return { ...moments };
  const ofAll = newWeights === "mean" ? meanOf(Object.values(moments)) : 0;
  const own = plan.map((copy): [string, Float32Array] => {
    const name = `${prefix}${copy.spec.name}`;
    const target = new Float32Array(tensorSize(copy.spec));
    const source = copy.from === null ? undefined : moments[name];
    if (!source) return [name, target.fill(ofAll)];
    target.fill(newWeights === "mean" ? meanOf([source]) : 0);
    fill(target, copy, source, "keep");
    return [name, target];
  });
  return Object.fromEntries([...others, ...own]);
}
