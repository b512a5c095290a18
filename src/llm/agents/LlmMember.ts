/** A member of a population of language models as plain data: what travels to workers, evolves, and is saved. */
import type { LlmSpec } from "../algorithms/registry.ts";
import type { PolicyState } from "./PolicyState.ts";

export interface LlmMember {
  /** Identity, unique in a run. */
  readonly index: number;
  /** Identity of the member it was cloned from; null in the first generation. */
  readonly parent: number | null;
  /** Numbers of its spec; those that mutate differ between members. */
  readonly hyperparameters: Readonly<Record<string, number>>;
  /** Evaluations so far, oldest first, the last 100. */
  readonly fitness: readonly number[];
  /** Turns played, or rows learned from. */
  readonly steps: number;
  /** Label of the last mutation. */
  readonly mut: string;
  /** Empty before the first iteration. */
  readonly policy: PolicyState;
  /** Batches learned from. */
  readonly updates: number;
  /** Prompts or rows drawn, which decide the next ones. */
  readonly samples: number;
  /** Passes over the data set that were complete when the reference was renewed last. */
  readonly epoch: number;
  /** Passes over the data set that are complete. */
  readonly passes: number;
}

/** Numbers of a spec, by field. */
export const numbersOf = (spec: LlmSpec): Record<string, number> =>
  Object.fromEntries(
    Object.entries(spec).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );

/** A member whose policy is not made yet: whoever trains it has the model. */
export const firstMember = (spec: LlmSpec, index: number): LlmMember => ({
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

/** The spec with a member's own numbers. */
export const specOf = <S extends LlmSpec>(
  spec: S,
  { hyperparameters }: Pick<LlmMember, "hyperparameters">,
): S => ({
  ...spec,
  ...hyperparameters,
});
