/** The base class and common options of trainers: validated specs, deprecated names, exclusive options. */

import type { ReplayBuffer, SupportedAgent } from "../../agents/classes.ts";
import type { HyperparameterConfig, Mutations, SelectionStrategy } from "../../evolution/index.ts";
import type {
  AlgorithmName,
  AlgoSpecInput,
  MutationSpecInput,
  ReplayBufferSpecInput,
  SelectionStrategySpecInput,
  TrainingManifest,
  TrainingSpecInput,
} from "../../manifests/index.ts";
import type { EvolvableModule } from "../../rl/networks.ts";
import type { FileStore } from "../../storage/index.ts";
import type { Accelerator } from "../executors/Accelerator.ts";
import type { EnvironmentOption } from "../options/environmentOption.ts";
import type { SelectionOption } from "../options/selectionOption.ts";

export interface OutputLostOptions {
  /** The trained population, as the run would have returned it. */
  readonly population: SupportedAgent[];
  /** Each member's fitness in its last evaluation. */
  readonly fitnesses: number[];
  /** Error of the last attempt to write. */
  readonly cause: unknown;
}

/**
 * Thrown when a run was trained to its end, but a requested output was never written: the elite, or any
 * checkpoint that was due. The error has the results that the run would have returned, so they are not lost.
 *
 * @example
 * ```ts
 * const trainer = new LocalTrainer({ algorithm: "DQN", environment: "CartPole-v1" });
 * try {
 *   await trainer.train({ save_elite: true, elite_path: "elite" });
 * } catch (error) {
 *   if (error instanceof OutputLostError) console.error("not saved, but trained:", error.fitnesses);
 *   else throw error;
 * }
 * ```
 */
export class OutputLostError extends Error {
  override readonly name = "OutputLostError";
  readonly population: SupportedAgent[];
  readonly fitnesses: number[];

  constructor(message: string, { population, fitnesses, cause }: OutputLostOptions) {
    super(message, { cause });
    this.population = population;
    this.fitnesses = fitnesses;
  }
}

/** Result of a local training run: the population, and each member's fitness in its last evaluation. */
export type TrainingLoopReturn = readonly [population: SupportedAgent[], fitnesses: number[]];

/** The caller's own networks for multi-agent algorithms, by agent. */
export type ModuleDict = Readonly<Record<string, EvolvableModule | readonly EvolvableModule[]>>;

interface TrainerFields {
  /** Algorithm spec or name; names of registered algorithms are not in the types. */
  readonly algorithm: AlgoSpecInput | AlgorithmName | (string & {});
  /** Environment spec or name, or a live environment. */
  readonly environment: EnvironmentOption;
  readonly training?: TrainingSpecInput | null;
  readonly mutation?: MutationSpecInput | Mutations | null;
  readonly replay_buffer?: ReplayBufferSpecInput | ReplayBuffer | null;
  /** The manifest's network section; settings of registered architectures are not in the types. */
  readonly network?: object | null;
  /** Device to train on (default: "cpu"). */
  readonly device?: string;
  readonly accelerator?: Accelerator | null;
  /** Hyperparameters that mutate (default: those of `mutation.rl_hp_selection`). */
  readonly hp_config?: HyperparameterConfig | null;
  readonly actor_network?: EvolvableModule | null;
  readonly critic_network?: EvolvableModule | null;
  readonly actor_networks?: ModuleDict | null;
  readonly critic_networks?: ModuleDict | readonly EvolvableModule[] | null;
  /**
   * Whether to evolve: `true` with default mutation and tournament selection unless they are given, "search"
   * with the recipe of docs/evolution.md. Has 4 members, or 8 in a search, unless `training.pop_size` is given.
   */
  readonly hpo?: boolean | "search";
  /** Seed of all random draws (default: `training.seed`, else `mutation.rand_seed`, else 42). */
  readonly seed?: number;
  /** Store of checkpoints and elites (default: the disk in Node, OPFS in a browser). */
  readonly store?: FileStore;
}

/** How a run starts: from scratch, or from one of two kinds of files. */
type StartOption =
  | {
      /**
       * Resumes a run from a checkpoint directory, or starts every member from one agent's file. The stored
       * networks are used, with a warning if the network section differs. Module options are not allowed.
       */
      readonly resume_from_checkpoint?: string | null;
      readonly load_weights_from?: null;
    }
  | {
      /**
       * Starts a new run with the networks of an agent file, or of the elite in a directory. TD3, SAC and PPO
       * also go on from agents that learned from data. If a network
       * section is also given, it must match. Sizes and activations, which evolution changes, may differ,
       * with a warning. Module options are not allowed.
       */
      readonly load_weights_from?: string | null;
      readonly resume_from_checkpoint?: null;
    };

type Selection = SelectionStrategySpecInput | SelectionStrategy;

/** Options of a trainer. */
export type TrainerOptions = TrainerFields & StartOption & SelectionOption<Selection>;

/**
 * Options of `fromManifest` in addition to the manifest's own sections. `network: null` drops the manifest's
 * section, for example when `load_weights_from` provides other networks.
 */
export type ManifestOptions = Omit<TrainerFields, "algorithm" | "environment" | "training"> & {
  /** Time limit in seconds for each answer of a user's environment in its sandbox (default: 10). */
  readonly environment_timeout_s?: number;
} & StartOption &
  SelectionOption<Selection>;

/**
 * Base class of trainers: a validated run that can be trained.
 *
 * @example
 * ```ts
 * const trainer: Trainer = new LocalTrainer({ algorithm: "DQN", environment: "CartPole-v1" });
 * console.log(trainer.manifest.training.max_steps); // 1000000
 * ```
 */
export abstract class Trainer {
  /** The validated run, with defaults filled in. */
  abstract readonly manifest: TrainingManifest;
  abstract train(options?: object): Promise<unknown>;
}
