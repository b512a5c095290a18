/** Options of `LocalTrainer` and its `train()`: their rules, conflicts, warnings, and sections of a manifest. */

import { ReplayBuffer, startingValues } from "../../agents/classes.ts";
import { HyperparameterConfig } from "../../evolution/index.ts";
import { BanditEnvironment } from "../../rl/environments.ts";
import type { VectorEnvironment } from "../../rl/faces.ts";
import { EvolvableModule } from "../../rl/networks.ts";
import {
  ANY,
  COUNT,
  FLAG,
  FUNCTION,
  instanceOf,
  OBSERVER,
  type OptionRules,
  STORE,
  TEXT,
} from "../../specs/checks.ts";
import type { ObserverOption } from "../../tracking/observer.ts";
import { Accelerator } from "../executors/Accelerator.ts";
import type { TrainingRun } from "../loop/TrainingRun.ts";
import { banditSection } from "../options/banditTable.ts";
import { sectionOf } from "../options/environmentOption.ts";
import { requireOneSelection } from "../options/selectionOption.ts";
import { TRACKER_RULES, type TrackerOptions } from "../options/trackerOptions.ts";
import type { RlKinds } from "../rl/kinds.ts";
import type { OutputOptions } from "../session/DirectorySink.ts";
import { NETWORK_OPTIONS } from "./ownNetworks.ts";
import type { TrainerOptions } from "./Trainer.ts";

/** Options of `train()` (interface 4.2). */
export interface TrainOptions extends TrackerOptions {
  /** Whether to print progress and a table for each generation (default: true). */
  readonly verbose?: boolean;
  readonly save_elite?: boolean;
  readonly elite_path?: string | null;
  /** Seed of all random draws (default: that of the trainer). */
  readonly seed?: number;
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
  accelerator: instanceOf("an Accelerator", Accelerator),
  hp_config: instanceOf("a HyperparameterConfig", HyperparameterConfig),
  actor_network: instanceOf("an EvolvableModule", EvolvableModule),
  critic_network: instanceOf("an EvolvableModule", EvolvableModule),
  actor_networks: ANY,
  critic_networks: ANY,
  hpo: {
    allowed: 'true, false or "search"',
    allows: (value) => typeof value === "boolean" || value === "search",
  },
  tournament: ANY,
  seed: ANY,
  store: STORE,
};

export const TRAIN_OPTIONS: OptionRules = {
  verbose: FLAG,
  save_elite: FLAG,
  elite_path: TEXT,
  seed: ANY,
  ...TRACKER_RULES,
  checkpoint_steps: COUNT,
  checkpoint_path: TEXT,
  overwrite_checkpoints: FLAG,
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

/** The network section inside the algorithm's spec. */
export const ownSection = (algorithm: TrainerOptions["algorithm"]): unknown =>
  typeof algorithm === "object" && "net_config" in algorithm ? algorithm.net_config : null;

export function algorithmSection(
  { algorithm, hp_config }: TrainerOptions,
  lanes: VectorEnvironment | null,
): unknown {
  const spec = typeof algorithm === "string" ? { name: algorithm } : algorithm;
  if (!spec) return spec;
  // The number of lanes is taken from the live environment.
  const num_envs = lanes && "num_envs" in spec ? { num_envs: lanes.num_envs } : {};
  return { ...spec, ...num_envs, ...startingValues(hp_config) };
}

/** The section of a live environment. */
export const liveSection = (environment: TrainerOptions["environment"], lanes: VectorEnvironment): unknown =>
  environment instanceof BanditEnvironment ? banditSection(environment) : sectionOf(lanes);

export const environmentSection = (environment: TrainerOptions["environment"]): unknown =>
  typeof environment === "string" ? { name: environment } : environment;

/** @throws Error for mutually exclusive options. */
export function refuseConflicts(options: TrainerOptions): void {
  if (options.resume_from_checkpoint && options.load_weights_from) {
    throw new Error(
      "resume_from_checkpoint and load_weights_from exclude each other: the first continues a run, the second starts a new one; give one of them",
    );
  }
  for (const source of ["resume_from_checkpoint", "load_weights_from"] as const) {
    const module = NETWORK_OPTIONS.find((name) => options[name]);
    if (!options[source] || module === undefined) continue;
    throw new Error(
      `${module}: found together with ${source}, whose file has the networks that agents continue with, so it would be ignored; leave one of them out`,
    );
  }
  requireOneSelection(options);
}

/** @throws TypeError for an option that only reinforcement learning supports. */
export function refuseRlOptions(options: TrainerOptions, workload: string): void {
  const own = [...NETWORK_OPTIONS, "hp_config"] as const;
  const found = own.find((name) => options[name] !== undefined && options[name] !== null);
  const given = found ?? (options.replay_buffer instanceof ReplayBuffer ? "replay_buffer" : undefined);
  if (given === undefined) return;
  throw new TypeError(
    `${given}: belongs to agents that learn by reinforcement, and this is a run of "${workload}"; leave it out`,
  );
}
