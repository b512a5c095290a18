/** Trains on a remote platform (interface 4.3). */

import {
  type AlgorithmName,
  type AlgoSpecInput,
  type DatasetEnvSpecInput,
  type GymEnvSpecInput,
  type LLMRolloutBufferSpecInput,
  type MutationSpecInput,
  parseManifestObject,
  type ReplayBufferSpecInput,
  type RolloutEnvSpecInput,
  type TournamentSelectionSpecInput,
  type TrainingManifest,
  type TrainingSpecInput,
} from "../manifests/index.ts";
import {
  ANY,
  checkOptions,
  instanceOf,
  isPlain,
  type OptionRule,
  type OptionRules,
} from "../specs/checks.ts";
import { isMapping } from "../specs/messages.ts";
import { type ManifestSource, readManifest } from "../training/files.ts";
import { Trainer } from "../training/index.ts";
import {
  givenSelection,
  isLive,
  mutationSection,
  requireOneSelection,
  type SelectionOption,
} from "../training/plan.ts";
import { manifestPayload, requireTournament } from "./manifestPayload.ts";
import { RemoteClient } from "./RemoteClient.ts";
import { JOB_OPTIONS, type JobOptions } from "./submission.ts";

interface RemoteTrainerFields {
  /** Algorithm spec or name. Custom algorithms have names that the types do not list. */
  readonly algorithm: AlgoSpecInput | AlgorithmName | (string & {});
  /** Environment spec, or the name of an environment on the platform. */
  readonly environment: GymEnvSpecInput | RolloutEnvSpecInput | DatasetEnvSpecInput | string;
  /** Defaults to 1,000,000 steps of one member, without evolution. */
  readonly training?: TrainingSpecInput | null;
  /** Defaults to a client made from `api_key`. */
  readonly client?: RemoteClient | null;
  /** Key of the platform (default: RLKIT_API_KEY). */
  readonly api_key?: string | null;
  /** Defaults to no mutation; `{}` selects the default mutation. */
  readonly mutation?: MutationSpecInput | null;
  readonly replay_buffer?: ReplayBufferSpecInput | LLMRolloutBufferSpecInput | null;
  /** The manifest's network section. Custom architectures have settings that the types do not list. */
  readonly network?: object | null;
}

/** Options of a remote trainer. */
export type RemoteTrainerOptions = RemoteTrainerFields & SelectionOption<TournamentSelectionSpecInput>;

/** Whether a value is plain data that can be sent: class instances cannot. */
const isSpec = (value: unknown): boolean =>
  isMapping(value) && isPlain(value) && !isLive(value) && typeof value.select !== "function";

const spec = (what: string): OptionRule => ({ allowed: `${what}, as plain data`, allows: isSpec });
const named = (what: string): OptionRule => ({
  allowed: `${what}, as plain data, or a name; live objects cannot be sent`,
  allows: (value) => typeof value === "string" || isSpec(value),
});

const OPTIONS: OptionRules = {
  algorithm: named("an algorithm spec"),
  environment: named("an environment spec"),
  training: spec("a TrainingSpec"),
  client: instanceOf("a RemoteClient", RemoteClient),
  // Checked later by RemoteClient, so that no message contains the secret value.
  api_key: ANY,
  mutation: spec("a MutationSpec"),
  selection_strategy: spec("a TournamentSelectionSpec"),
  replay_buffer: spec("a ReplayBufferSpec or LLMRolloutBufferSpec"),
  network: spec("a network section"),
  tournament: spec("a TournamentSelectionSpec"),
};

/** Options of `fromManifest`. */
export type RemoteManifestOptions = Pick<RemoteTrainerFields, "client" | "api_key">;

const EXAMPLE = '{ algorithm: "DQN", environment: "CartPole-v1" }';

const section = (value: unknown): unknown => (typeof value === "string" ? { name: value } : value);

/**
 * Submits a training job to a remote platform, from specs or from a manifest (`RemoteTrainer.fromManifest`). The job is
 * trained there; use `RemoteClient` to watch it and to download its results.
 *
 * @example
 * ```ts
 * const client = new RemoteClient({ base_url: "https://platform.example" });
 * const trainer = new RemoteTrainer({
 *   algorithm: { name: "DQN", lr: 0.001 },
 *   environment: { name: "CartPole-v1", num_envs: 8 },
 *   training: { pop_size: 4, max_steps: 60_000, evo_steps: 4_000 },
 *   selection_strategy: { tournament_size: 2, elitism: true },
 *   client,
 * });
 * const { experiment_name } = await trainer.train({ project: "poles", num_nodes: 2 });
 * ```
 */
export class RemoteTrainer extends Trainer {
  readonly manifest: TrainingManifest;
  readonly client: RemoteClient;

  /**
   * Only validates; nothing is sent before `train()`.
   * @throws SpecError for invalid specs and for multi-frequency selection; TypeError for options that
   *   are unknown or not plain data; Error if `tournament` and `selection_strategy` differ; errors of
   *   the RemoteClient constructor.
   */
  constructor(options: RemoteTrainerOptions, ...positional: never[]) {
    super();
    checkOptions("RemoteTrainer", options, OPTIONS, { example: EXAMPLE, positional });
    requireOneSelection(options);
    const selection_strategy = givenSelection<TournamentSelectionSpecInput>(options);
    requireTournament(selection_strategy);
    const { algorithm, environment, training, network, mutation, replay_buffer } = options;
    this.manifest = parseManifestObject({
      algorithm: section(algorithm),
      environment: section(environment),
      training: training ?? {},
      network: network ?? null,
      mutation: mutationSection(mutation),
      selection_strategy,
      replay_buffer: replay_buffer ?? null,
    });
    this.client = options.client ?? new RemoteClient({ api_key: options.api_key ?? null });
  }

  /**
   * Creates a trainer from a manifest, like `LocalTrainer.fromManifest`. Environments that only
   * the platform knows are allowed.
   * @returns an instance of the class that the method is called on.
   * @throws StorageError for a file that cannot be read; SpecError listing every problem; TypeError for
   *   options other than `client` and `api_key`; errors of the constructor.
   */
  static async fromManifest<T extends RemoteTrainer>(
    this: new (
      options: RemoteTrainerOptions,
    ) => T,
    manifest: ManifestSource,
    options: RemoteManifestOptions = {},
    ...positional: never[]
  ): Promise<T> {
    const { client, api_key } = OPTIONS;
    // Both keys exist in OPTIONS above.
    const rules = { client, api_key } as OptionRules;
    checkOptions("RemoteTrainer.fromManifest", options, rules, { example: "{ client }", positional });
    const parsed = await readManifest(manifest, undefined, null);
    const { apiVersion: _, ...sections } = parsed;
    // Parsed sections are valid specs.
    return new this({ ...sections, ...options } as RemoteTrainerOptions);
  }

  /** The manifest in the form that is sent. */
  get payload(): Record<string, unknown> {
    return manifestPayload(this.manifest);
  }

  /**
   * Submits the job.
   * @returns the platform's record of the job: `experiment_id`, `experiment_name`.
   * @throws as `RemoteClient.submitExperiment`.
   */
  async train(options: JobOptions = {}, ...positional: never[]): Promise<Record<string, unknown>> {
    checkOptions("RemoteTrainer.train", options, JOB_OPTIONS, { example: "{ num_nodes: 2 }", positional });
    return this.client.submitExperiment({ ...options, manifest: this.payload });
  }

  /**
   * Resumes a job.
   * @param job_id Its `experiment_name`.
   * @param max_steps Environment steps per member, in total.
   */
  resumeFromCheckpoint(job_id: string, max_steps: number): Promise<Record<string, unknown>> {
    return this.client.resumeExperiment(job_id, max_steps);
  }

  /** @param project Defaults to the client's project. @throws RemoteConfigError if neither is set. */
  listExperiments(project: string | null = null): Promise<Record<string, unknown>[]> {
    return this.client.listExperiments(project);
  }

  /** @param job_id The job's `experiment_name`. */
  listCheckpoints(job_id: string): Promise<Record<string, unknown>[]> {
    return this.client.listCheckpoints(job_id);
  }
}
