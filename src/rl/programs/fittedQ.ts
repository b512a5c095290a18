/** What fitted Q evaluation says of rows of the replay buffer. */
import { type Program, state, sym, trace } from "../../kernels/index.ts";
import { SYMBOLS } from "../contract/inputs.ts";
import type { FittedQAlgorithm } from "../contract/offPolicy.ts";
import { readNetworks } from "./learning.ts";
import { knownBatch, type OffPolicyStructure } from "./offPolicy.ts";
import type { GoalSpaces, MemoryKind } from "./replayFields.ts";
import { takeTransitions } from "./transitions.ts";

/** Buffers of {@link estimateProgram}, one number for each row. */
export const ESTIMATES = {
  rows: "fqe.rows",
  value: "fqe.value",
  error: "fqe.error",
  ratio: "fqe.ratio",
  reward: "fqe.reward",
  done: "fqe.done",
} as const;

/** Writes the values of the policy's actions, and the errors of the data's actions, in given rows. */
export const estimateProgram = (
  structure: OffPolicyStructure & { readonly algorithm: FittedQAlgorithm },
  layout: GoalSpaces,
  memory: MemoryKind,
): Program =>
  trace(`${structure.algorithm.name}.estimate`, () => {
    const index = state(ESTIMATES.rows, [sym(SYMBOLS.batch)], { dtype: "i32" }).read();
    // Single steps are the same whatever else the member sees.
    const batch = takeTransitions(layout, { index, owner: index, following: index }, memory, structure);
    const known = knownBatch(structure, layout, batch);
    const { value, error, ratio } = structure.algorithm.estimate(readNetworks(structure), known, layout);
    state(ESTIMATES.value, value.shape).write(value);
    state(ESTIMATES.error, error.shape).write(error);
    if (!ratio) return;
    state(ESTIMATES.ratio, ratio.shape).write(ratio);
    state(ESTIMATES.reward, batch.reward.shape).write(batch.reward);
    state(ESTIMATES.done, batch.done.shape).write(batch.done);
  });
