/**
 * A member of a population of language models as plain data, for transfer to workers, evolution and saving.
 */
import type { LlmSpec } from "../algorithms/registry.ts";
import type { PolicyState } from "./PolicyState.ts";

export interface LlmMember {
  /** Identity, unique in a run. */
  readonly index: number;
  /** Identity of the member it was cloned from; `null` in the first generation. */
  readonly parent: number | null;
  /** Numeric fields of its spec; those that mutate differ between members. */
  readonly hyperparameters: Readonly<Record<string, number>>;
  /** The last 100 fitness values, oldest first. */
  readonly fitness: readonly number[];
  /** Turns played, or rows learned from. */
  readonly steps: number;
  /** Label of the last mutation. */
  readonly mut: string;
  /** Empty before the first iteration. */
  readonly policy: PolicyState;
  /** Number of batches learned from. */
  readonly updates: number;
  /** Number of prompts or rows drawn so far, which determines the next ones. */
  readonly samples: number;
  /** Completed passes over the data set when the reference was last renewed. */
  readonly epoch: number;
  /** Completed passes over the data set. */
  readonly passes: number;
}

/** Numeric fields of a spec. */
export const numbersOf = (spec: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(spec).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );

/** A member without a policy, which is created where the model is loaded. */
export const firstMember = (spec: object, index: number): LlmMember => ({
  index,
  parent: null,
  hyperparameters: numbersOf(spec),
  fitness: [],
  steps: 0,
  mut: "None",
  policy: {},
  updates: 0,
  samples: 0,
  epoch: 0,
  passes: 0,
});

/** The spec with a member's hyperparameters. */
export const specOf = <S extends LlmSpec>(
  spec: S,
  { hyperparameters }: Pick<LlmMember, "hyperparameters">,
): S => ({
  ...spec,
  ...hyperparameters,
});
