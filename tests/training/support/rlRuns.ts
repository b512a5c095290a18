/** Parts of runs of reinforcement learning, as tests put them together. */

import { InThreadExecutor } from "../../../src/training/index.ts";
import type { RunState as AnyState } from "../../../src/training/loop.ts";
import { type RlKinds, type RunState, reinforcementLearning } from "../../../src/training/workloads.ts";

export const inThread = (): InThreadExecutor<RlKinds> =>
  new InThreadExecutor<RlKinds>((setup) => reinforcementLearning.turnRunner(setup));

/** The state of a run that reinforcement learning trained. */
export const rlState = (state: AnyState): RunState => state as RunState;
