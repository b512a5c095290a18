import type { BanditTable } from "../../rl/environments/bandit/BanditTable.ts";
import type { EnvironmentOptions } from "../../rl/environments/index.ts";
import type { LoopPlan } from "../loop/TrainingRun.ts";
import type { UserModuleSetup } from "./UserModuleSetup.ts";

/** Rhythm and limits of a run, and where it trains. */
export interface RunPlan extends LoopPlan {
  /** Id of a registered environment, or a name for the caller's own. */
  readonly environment: string;
  /** Options of a registered environment beside its name; null for none. */
  readonly env_config: EnvironmentOptions | null;
  /** The environment, where it is a user's; absent elsewhere. */
  readonly user_module?: UserModuleSetup;
  /** A bandit's, in place of a registered environment; none unless given. */
  readonly table?: BanditTable | null;
  readonly num_envs: number;
  readonly seed: number;
  readonly evo_steps: number;
  readonly eval_loop: number;
  readonly eval_steps: number | null;
  /** Whether the fitness of several agents is their sum, true unless given, or their mean. */
  readonly sum_scores?: boolean;
  /** Of bandits: fitness and score are mean rewards. */
  readonly mean_rewards?: true;
  /** Off-policy only. */
  readonly off_policy: {
    /** Members only learn, from a data set that is the run's replay memory. */
    readonly offline?: true;
    readonly learning_delay: number;
    readonly eps_end: number;
    readonly eps_decay: number;
    readonly memory: {
      /** Steps that a transition spans. */
      readonly n_step: number;
      /** How strongly priorities matter; null samples uniformly. */
      readonly alpha: number | null;
    };
  } | null;
}
