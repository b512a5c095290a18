/** What training a member again without its mutation tells, as data and in words. */
import { bracketed } from "./gain.ts";
import type { Interval } from "./interval.ts";

/** Fitness of a member with its mutation and without, from the same random draws. */
export interface MutationTrial {
  readonly seed: number;
  readonly with_mutation: number;
  readonly without: number;
  /** The first minus the second. */
  readonly difference: number;
  /** Fitness after each generation, of which the last is the one above. */
  readonly lines: { readonly with_mutation: readonly number[]; readonly without: readonly number[] };
}

/** What a mutation did to its member's next generations, as `explainMutation` finds. */
export interface MutationExplanation {
  /** Generation that the member began with the mutation, and its slot. */
  readonly generation: number;
  readonly slot: number;
  /** Identity of the member, and of the one that it was copied from. */
  readonly index: number;
  readonly parent: number | null;
  /** Label of the mutation, and the hyperparameters that it moved. */
  readonly mutation: string;
  readonly hyperparameters: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
  /** Fitness that the member's parent had, or the member itself, at the boundary before it; null if it had none. */
  readonly before: number | null;
  /** Generations that the member trained for. */
  readonly generations: number;
  /** With the seed of the run itself, whose selection may have favoured the luck of this mutation. */
  readonly own_seed: MutationTrial;
  readonly new_seeds: readonly MutationTrial[];
  /** Mean difference on the new seeds. */
  readonly difference: number;
  /** Its interval of 95 %; null for one seed. */
  readonly interval: Interval | null;
  /** Whether the interval leaves out 0. */
  readonly is_evidence: boolean;
}

/**
 * The result on the new seeds in one sentence, which claims no more than was measured.
 * @param format Formats a number with its sign.
 */
export function explanationText(
  { difference, interval, new_seeds, is_evidence, generations }: MutationExplanation,
  format: (value: number) => string,
): string {
  const after = generations === 1 ? "its next generation" : `its next ${generations} generations`;
  const told = `${format(difference)}${interval ? ` ${bracketed(interval, format)}` : ""}, n = ${new_seeds.length}`;
  const verdict = is_evidence
    ? `it ${difference > 0 ? "raised" : "lowered"} fitness after ${after}`
    : `not enough evidence that it changed fitness after ${after}`;
  return `On new seeds: ${told}: ${verdict}`;
}
