/** Types of the reinforcement-learning workload. */

import type {
  AgentState,
  FittedQSettings,
  HeldOut,
  Opponent,
  Opponents,
  ReplayRows,
  Turn,
  TurnResult,
} from "../../agents/members.ts";
import type { BanditTable } from "../../rl/environments.ts";
import type { EnvironmentOptions } from "../../rl/faces.ts";
import type { HindsightKind, LookAhead, MemoryKind } from "../../rl/programs.ts";
import type { SpaceJson } from "../../rl/spaces.ts";
import type { OpponentStage } from "../../specs/sections.ts";
import type {
  Executor as ExecutorOf,
  MemberTurn as MemberTurnOf,
  TurnOutcome as TurnOutcomeOf,
} from "../loop/executor.ts";
import type { LoopPlan } from "../loop/LoopPlan.ts";
import type { Setup, TurnRunner as TurnRunnerOf } from "../loop/Workload.ts";
import type { Shared } from "./runState.ts";

/**
 * A user's environment as sent to every thread of a run: plain data, from which each thread creates its own
 * sandbox.
 */
export interface UserModuleSetup {
  /** Name in messages, such as user/balance. */
  readonly name: string;
  /** SHA-256 of the module's source. */
  readonly sha256: string;
  /** The JavaScript to run. */
  readonly script: string;
  /** Name of the export; null for the default export. */
  readonly entrypoint: string | null;
  readonly options: EnvironmentOptions;
  /** Time limit in seconds for each answer of a sandbox. */
  readonly timeout_s: number;
  /** Spaces of a single lane. */
  readonly spaces: { readonly observation: SpaceJson; readonly action: SpaceJson };
}

/** How members of a run meet opponents. */
export interface OpponentsPlan {
  /** At least one. Their weights are empty for members that play themselves alone. */
  readonly stages: readonly OpponentStage[];
  /** Most past selves that are kept. */
  readonly pool_size: number;
  /** Generations after which the best member becomes a past self. */
  readonly pool_interval: number;
  /** How games of the training begin, and how they are learnt (default: with no random moves, as they are). */
  readonly games?: NonNullable<Opponents["games"]>;
  /** Rules that every member is rated against. The first one has the rating 0. */
  readonly anchors: readonly Exclude<Opponent["kind"], "self" | "agent">[];
  /** The largest return of a game: a win. */
  readonly win: number;
  /** How agents search in evaluations (default: they do not). */
  readonly search?: LookAhead;
}

/** Intervals, limits and environment of a run. */
export interface RunPlan extends LoopPlan {
  /** Id of a registered environment, or a name for the caller's own. */
  readonly environment: string;
  /** Options of a registered environment; `null` for none. */
  readonly env_config: EnvironmentOptions | null;
  /** The module of a user's environment; absent for other environments. */
  readonly user_module?: UserModuleSetup;
  /** Table of a bandit, in place of a registered environment (default: none). */
  readonly table?: BanditTable | null;
  readonly num_envs: number;
  readonly seed: number;
  readonly evo_steps: number;
  readonly eval_loop: number;
  readonly eval_steps: number | null;
  /** Whether the fitness of several agents is their sum or their mean (default: true, the sum). */
  readonly sum_scores?: boolean;
  /** Fitness is fitted to the data set (default: measured in the environment). */
  readonly fqe?: FittedQSettings;
  /** For bandits: fitness and score are mean rewards. */
  readonly mean_rewards?: true;
  /** How members of a game meet opponents; absent for other environments. */
  readonly opponents?: OpponentsPlan;
  /** How on-policy members imitate demonstrations: the weight at first, and the steps in which it falls to 0 (default: none). */
  readonly imitation?: { readonly coef: number; readonly steps: number };
  /** Off-policy settings; `null` for on-policy runs. */
  readonly off_policy: {
    /** Members only learn, from a data set that serves as the run's replay buffer. */
    readonly offline?: true;
    readonly learning_delay: number;
    readonly eps_end: number;
    readonly eps_decay: number;
    /**
     * Present if learning steps are due by the transitions of the whole population: most learning steps per
     * transition of the member's own.
     */
    readonly max_replay_ratio?: number;
    readonly memory: {
      /** Steps that a transition spans. */
      readonly n_step: number;
      /** Exponent of the priorities; `null` samples uniformly. */
      readonly alpha: number | null;
      /** Part of each batch that is drawn from demonstrations (default: none). */
      readonly demonstrations?: number;
      /** Hindsight experience replay (default: none). */
      readonly her?: HindsightKind;
    };
  } | null;
}

/** The replay buffer of a run: one segment per member. */
export interface ReplaySetup {
  readonly population: number;
  /** Transitions in a segment. */
  readonly segment: number;
  /** How transitions are sampled from it. */
  readonly kind: MemoryKind;
  /** Rows that only judge members, in runs whose fitness is fitted to the data set. */
  readonly held?: HeldOut;
  /** Rows of demonstrations, in the slot after the last member's (default: none). */
  readonly demonstrations?: number;
}

/** Transitions added to a member's segment. */
export interface Written {
  readonly slot: number;
  readonly start: number;
  readonly count: number;
  readonly rows: ReplayRows;
}

export interface RunSetup extends Setup {
  /** Id of a registered environment, or a name for the caller's own. */
  readonly environment: string;
  /** Options of a registered environment (default: none). */
  readonly env_config?: EnvironmentOptions | null;
  /** The module of a user's environment; absent for other environments. */
  readonly user_module?: UserModuleSetup;
  /** Table of a bandit, in place of a registered environment (default: none). */
  readonly table?: BanditTable | null;
  readonly replay: ReplaySetup | null;
  /** Initial contents of the replay buffer. */
  readonly written: readonly Written[];
  /**
   * Reads the data set that serves as the replay buffer, or demonstrations, in parts; may be called several times. Absent
   * for runs without. Only the executor has it: threads receive the parts.
   */
  readonly data?: () => AsyncIterable<Written>;
  /** Value that the run measured before (see Shared); measured if null or absent. */
  readonly gpu_workgroups?: number | null;
}

/** What members, turns and results are in reinforcement learning. */
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
export type TurnRunner = TurnRunnerOf<RlKinds>;
