/** Options of `LocalTrainer` and its `train()`, and warnings about options without effect. */
import { HyperparameterConfig } from "../../evolution/index.ts";
import { EvolvableModule } from "../../rl/definitions.ts";
import type { OptionRules } from "../../specs/checks.ts";
import { Accelerator } from "../executors/Accelerator.ts";
import type { ObserverOption } from "../loop/observer.ts";
import type { TrainingRun } from "../loop/TrainingRun.ts";
import { ANY, COUNT, FLAG, FUNCTION, OBSERVER, STORE, TEXT } from "../options/optionChecks.ts";
import { TRACKER_RULES, type TrackerOptions } from "../options/trackerOptions.ts";
import type { RlKinds } from "../rl/kinds.ts";
import type { OutputOptions } from "../session/DirectorySink.ts";

/** Options of `train()` (interface 4.2). */
export interface TrainOptions extends TrackerOptions {
  /** Whether to print progress and a table for each generation (default: true). */
  readonly verbose?: boolean;
  readonly save_elite?: boolean;
  readonly elite_path?: string | null;
  /** Steps of each member between checkpoints (default: from the manifest). */
  readonly checkpoint_steps?: number | null;
  readonly checkpoint_path?: string | null;
  readonly overwrite_checkpoints?: boolean;
  /** Receives the run's events (docs/events.md): a function, or an object with a function `on`. */
  readonly observer?: ObserverOption;
  /** Called with the run before it starts, to pause or stop it. */
  readonly onRun?: (run: TrainingRun<RlKinds>) => void;
}

export const TRAINER_OPTIONS: OptionRules = {
  algorithm: ANY,
  environment: ANY,
  training: ANY,
  mutation: ANY,
  selection_strategy: ANY,
  replay_buffer: ANY,
  network: ANY,
  resume_from_checkpoint: TEXT,
  load_weights_from: TEXT,
  device: TEXT,
  accelerator: { allowed: "an Accelerator", allows: (value) => value instanceof Accelerator },
  hp_config: { allowed: "a HyperparameterConfig", allows: (value) => value instanceof HyperparameterConfig },
  actor_network: { allowed: "an EvolvableModule", allows: (value) => value instanceof EvolvableModule },
  critic_network: { allowed: "an EvolvableModule", allows: (value) => value instanceof EvolvableModule },
  actor_networks: ANY,
  critic_networks: ANY,
  hpo: FLAG,
  tournament: ANY,
  seed: ANY,
  store: STORE,
};

export const TRAIN_OPTIONS: OptionRules = {
  verbose: FLAG,
  save_elite: FLAG,
  elite_path: TEXT,
  ...TRACKER_RULES,
  checkpoint_steps: COUNT,
  checkpoint_path: TEXT,
  overwrite_checkpoints: FLAG,
  tracker_api_key: TEXT,
  tracker_kwargs: ANY,
  completion_logging: ANY,
  observer: OBSERVER,
  onRun: FUNCTION,
};

/** Warnings about paths that nothing is written to. */
export function outputWarnings({ checkpoint_path }: TrainOptions, output: OutputOptions): string[] {
  const warnings: string[] = [];
  if (output.elite_path && !output.save_elite)
    warnings.push("elite_path is given without save_elite: the elite is not saved");
  if (checkpoint_path && (output.checkpoint_steps ?? null) === null)
    warnings.push("checkpoint_path is given without checkpoint_steps: no checkpoints are written");
  return warnings;
}
