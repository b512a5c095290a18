/**
 * The number of slices that a member's minibatches are cut into, so that a small population keeps a large GPU
 * busy.
 */
import type { Binding } from "../../../kernels/functions.ts";
import { SLICE } from "../../../rl/programs.ts";
import type { Sizes } from "../programInputs.ts";

/** Minimum rows per slice: with fewer, overhead takes most of its time. */
const LEAST_ROWS = 32;
/** Maximum slices per minibatch: a single workgroup sums them. */
const MOST_SLICES = 64;

/**
 * Whether a population learns in slices: if the device can run more workgroups at once than there are
 * members.
 * @param busy Number of workgroups that the device runs at once (see kernels/wgsl/busyWorkgroups.ts).
 */
export const isSliced = (population: number, busy: number): boolean => population < busy;

/**
 * Slices of a member's minibatches: the largest power of two, at most 64, within two limits. The population
 * has at most twice as many workgroups as the device runs at once, and every slice has at least 32 rows.
 */
export function slicesOf(
  { batch, sequence = 1 }: Pick<Sizes, "batch" | "sequence">,
  population: number,
  busy: number,
): number {
  let slices = 1;
  const fits = (more: number): boolean =>
    more <= MOST_SLICES && population * more <= 2 * busy && Math.floor(batch / more) * sequence >= LEAST_ROWS;
  while (fits(2 * slices)) slices *= 2;
  return slices;
}

/**
 * The symbols of each slice of a minibatch of `batch` steps or sequences: their sizes differ by at most one.
 */
export const sliceBindings = ({ batch, slices = 1 }: Pick<Sizes, "batch" | "slices">): readonly Binding[] =>
  Array.from({ length: slices }, (_, index) => {
    const [first, end] = [index, index + 1].map((i) => Math.floor((i * batch) / slices)) as [number, number];
    return { [SLICE.index]: index, [SLICE.first]: first, [SLICE.size]: end - first };
  });
