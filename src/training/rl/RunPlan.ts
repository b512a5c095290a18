import type { EnvironmentOptions } from "../../rl/environments/index.ts";
import type { LoopPlan } from "../loop/TrainingRun.ts";

/** Rhythm and limits of a run, and where it trains. */
export interface RunPlan extends LoopPlan {
  /** Id of a registered environment, or a name for the caller's own. */
  readonly environment: string;
  /** Options of a registered environment beside its name; null for none. */
  readonly env_config: EnvironmentOptions | null;
  readonly num_envs: number;
  readonly seed: number;
  readonly evo_steps: number;
  readonly eval_loop: number;
  readonly eval_steps: number | null;
  /** Whether the fitness of several agents is their sum, true unless given, or their mean. */
  readonly sum_scores?: boolean;
  /** Off-policy only. */
  readonly off_policy: {
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
