/** The types of reinforcement learning as a workload. */
import type { BanditTable } from "../../rl/environments/bandit/BanditTable.ts";
import type { EnvironmentOptions } from "../../rl/environments/index.ts";
import type { AgentState } from "../../rl/member/agentState.ts";
import type { MemoryKind } from "../../rl/programs/replayFields.ts";
import type { ReplayRows } from "../../rl/runtime/replayRows.ts";
import type { Turn, TurnResult } from "../../rl/runtime/turn.ts";
import type {
  Executor as ExecutorOf,
  MemberTurn as MemberTurnOf,
  TurnOutcome as TurnOutcomeOf,
} from "../loop/executor.ts";
import type { Bench as BenchOf, Setup } from "../loop/Workload.ts";
import type { Shared } from "./runState.ts";
import type { UserModuleSetup } from "./UserModuleSetup.ts";

/** The replay memory that a run uses: one segment per member. */
export interface ReplaySetup {
  readonly population: number;
  /** Transitions in a segment. */
  readonly segment: number;
  /** How it gives its transitions. */
  readonly kind: MemoryKind;
}

/** Transitions that a member's segment gained. */
export interface Written {
  readonly slot: number;
  readonly start: number;
  readonly count: number;
  readonly rows: ReplayRows;
}

export interface RunSetup extends Setup {
  /** Id of a registered environment, or a name for the caller's own. */
  readonly environment: string;
  /** Options of a registered environment beside its name; none unless given. */
  readonly env_config?: EnvironmentOptions | null;
  /** The environment, where it is a user's; absent elsewhere. */
  readonly user_module?: UserModuleSetup;
  /** A bandit's, in place of a registered environment; none unless given. */
  readonly table?: BanditTable | null;
  readonly replay: ReplaySetup | null;
  /** Contents the memory starts with. */
  readonly written: readonly Written[];
  /**
   * Reads the data set that the memory is, part by part, as often as it is called; absent of other memories. It is the
   * executor's alone: threads are told the parts.
   */
  readonly data?: () => AsyncIterable<Written>;
  /** As the run measured it before (see Shared); measured anew where null or left out. */
  readonly gpu_workgroups?: number | null;
}

export interface RlKinds {
  readonly agent: AgentState;
  readonly shared: Shared;
  readonly setup: RunSetup;
  readonly turn: Turn;
  readonly result: TurnResult;
  readonly news: Written;
}

export type MemberTurn = MemberTurnOf<RlKinds>;
export type TurnOutcome = TurnOutcomeOf<RlKinds>;
export type Executor = ExecutorOf<RlKinds>;
export type Bench = BenchOf<RlKinds>;
