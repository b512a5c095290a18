import type { BanditTable } from "../../rl/environments.ts";
import type { EnvironmentOptions } from "../../rl/faces.ts";
import type { LoopPlan } from "../loop/TrainingRun.ts";
import type { UserModuleSetup } from "./UserModuleSetup.ts";

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
  /** For bandits: fitness and score are mean rewards. */
  readonly mean_rewards?: true;
  /** Off-policy settings; `null` for on-policy runs. */
  readonly off_policy: {
    /** Members only learn, from a data set that serves as the run's replay buffer. */
    readonly offline?: true;
    readonly learning_delay: number;
    readonly eps_end: number;
    readonly eps_decay: number;
    readonly memory: {
      /** Steps that a transition spans. */
      readonly n_step: number;
      /** Exponent of the priorities; `null` samples uniformly. */
      readonly alpha: number | null;
    };
  } | null;
}
