/** Parts of runs of reinforcement learning, as tests put them together. */

import { InThreadExecutor } from "../../../src/training/executors/InThreadExecutor.ts";
import type { RunState as AnyState } from "../../../src/training/loop/runState.ts";
import type { RlKinds } from "../../../src/training/rl/kinds.ts";
import type { RunState } from "../../../src/training/rl/runState.ts";
import { reinforcementLearning } from "../../../src/training/workloads/reinforcementLearning.ts";

export const inThread = (): InThreadExecutor<RlKinds> =>
  new InThreadExecutor<RlKinds>((setup) => reinforcementLearning.bench(setup));

/** The state of a run that reinforcement learning trained. */
export const rlState = (state: AnyState): RunState => state as RunState;
