/** What trainers share: validated specs, deprecated names, exclusive options. */

import type { HyperparameterConfig, Mutations, SelectionStrategy } from "../../evolution/index.ts";
import type { SupportedAgent } from "../../rl/agents/index.ts";
import type { ReplayBuffer } from "../../rl/buffers/index.ts";
import type { EvolvableModule } from "../../rl/modules/index.ts";
import type {
  AlgorithmName,
  AlgoSpecInput,
  MutationSpecInput,
  ReplayBufferSpecInput,
  SelectionStrategySpecInput,
  TrainingManifest,
  TrainingSpecInput,
} from "../../specs/index.ts";
import type { FileStore } from "../../storage/index.ts";
import type { Accelerator } from "../executors/Accelerator.ts";
import type { EnvironmentOption } from "../options/environmentOption.ts";
import type { SelectionOption } from "../options/selectionOption.ts";

/** What a local training run returns: the population, and each member's fitness in its last evaluation. */
export type TrainingLoopReturn = readonly [population: SupportedAgent[], fitnesses: number[]];

/** Networks of the caller's own for multi-agent algorithms, by agent. */
export type ModuleDict = Readonly<Record<string, EvolvableModule | readonly EvolvableModule[]>>;

interface TrainerFields {
  /** Algorithm spec, or its name; callers' own algorithms have names that the types do not know. */
  readonly algorithm: AlgoSpecInput | AlgorithmName | (string & {});
  /** Environment spec, name, or a live environment of the caller's. */
  readonly environment: EnvironmentOption;
  readonly training?: TrainingSpecInput | null;
  readonly mutation?: MutationSpecInput | Mutations | null;
  readonly replay_buffer?: ReplayBufferSpecInput | ReplayBuffer | null;
  /** The manifest's network section; callers' own architectures have settings that the types do not know. */
  readonly network?: object | null;
  /** "cpu" unless given. */
  readonly device?: string;
  readonly accelerator?: Accelerator | null;
  /** Hyperparameters that mutate; those of `mutation.rl_hp_selection` unless given. */
  readonly hp_config?: HyperparameterConfig | null;
  readonly actor_network?: EvolvableModule | null;
  readonly critic_network?: EvolvableModule | null;
  readonly actor_networks?: ModuleDict | null;
  readonly critic_networks?: ModuleDict | readonly EvolvableModule[] | null;
  /** Evolution with default mutation and tournament selection where those are not given, and 4 members unless `training.pop_size` says how many. */
  readonly hpo?: boolean;
  /** Seed of every draw; `mutation.rand_seed` unless given, else 42. */
  readonly seed?: number;
  /** Where checkpoints and elites are kept; the disk in Node, OPFS in a browser unless given. */
  readonly store?: FileStore;
}

/** How a run starts: afresh, or from one of two kinds of file. */
export type StartOption =
  | {
      /**
       * Continues a run: a checkpoint directory, or one agent's file for every member. Its networks go on, with a warning
       * where the network section says others; modules cannot be given.
       */
      readonly resume_from_checkpoint?: string | null;
      readonly load_weights_from?: null;
    }
  | {
      /**
       * Starts a new run with the networks of an agent file, or of a directory's elite. A network section that is given
       * beside it must say the same; in sizes and activations, which evolution changes, it may differ, with a warning. Modules
       * cannot be given.
       */
      readonly load_weights_from?: string | null;
      readonly resume_from_checkpoint?: null;
    };

type Selection = SelectionStrategySpecInput | SelectionStrategy;

/** Options of a trainer. */
export type TrainerOptions = TrainerFields & StartOption & SelectionOption<Selection>;

/**
 * Options that `fromManifest` takes beside the manifest's own sections. `network: null` leaves the manifest's section
 * out, as where `load_weights_from` brings other networks.
 */
export type ManifestOptions = Omit<TrainerFields, "algorithm" | "environment" | "training"> & {
  /** Seconds that each answer of a user's environment may take in its sandbox; 10 unless given. */
  readonly environment_timeout_s?: number;
} & StartOption &
  SelectionOption<Selection>;

/**
 * What trainers have in common: a validated run, and its training.
 *
 * @example
 * ```ts
 * const trainer: Trainer = new LocalTrainer({ algorithm: "DQN", environment: "CartPole-v1" });
 * console.log(trainer.manifest.training.max_steps); // 1000000
 * ```
 */
export abstract class Trainer {
  /** The validated run, defaults filled in. */
  abstract readonly manifest: TrainingManifest;
  abstract train(options?: object): Promise<unknown>;
}
