/** Trains in this process (interface 4.2). */

import { agentsFromStates, ReplayBuffer, type SupportedAgent } from "../../agents/classes.ts";
import { scalarsOf } from "../../agents/members.ts";
import { Mutations, type SelectionStrategy } from "../../evolution/index.ts";
import { startWarnings } from "../../evolution/members.ts";
import { requireSeed } from "../../evolution/random.ts";
import {
  agentNetwork,
  algorithmDefinition,
  CompletionLoggingConfig,
  MutationSpec,
  manifestToObject,
  parseManifestObject,
  TournamentSelectionSpec,
  type TrainingManifest,
} from "../../manifests/index.ts";
import { BanditEnvironment, listEnvironments } from "../../rl/environments.ts";
import { lastingLanes, type VectorEnvironment } from "../../rl/faces.ts";
import type { NetworkState } from "../../rl/networks.ts";
import { hostLayout } from "../../rl/spaces.ts";
import { checkOptions, parseSpec, requireOptions } from "../../specs/checks.ts";
import { defaultStore } from "../../storage/files.ts";
import { type EvolutionReport, observerOf, type TrainingObserver } from "../../tracking/observer.ts";
import { oneThreadWarning } from "../executors/Accelerator.ts";
import { resolveDevice } from "../executors/device.ts";
import { makeExecutor } from "../executors/makeExecutor.ts";
import { type ManifestSource, readManifest } from "../files/readManifest.ts";
import type { Executor } from "../loop/executor.ts";
import type { TrainingRun } from "../loop/TrainingRun.ts";
import type { Kinds, Member, RunState as RunStateOf } from "../loop/Workload.ts";
import type { AskedDevice, DeviceChoice, WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import { readBandit } from "../options/banditTable.ts";
import { lanesOf, registeredPlace, requireNoGame, spacesOf } from "../options/environmentOption.ts";
import { gammaWarning, memorySection } from "../options/memoryOption.ts";
import { adoptData, settleMemory } from "../options/memoryState.ts";
import { givenSelection, isSelectionStrategy, mutationSection } from "../options/selectionOption.ts";
import { trackersOf } from "../options/trackerOptions.ts";
import { evolutionOf, planOf, runWarnings, type Spaces, seedOf } from "../plan/buildRun.ts";
import { environmentOf, longestEpisode, memoryLayout, userEnvironmentOf } from "../plan/environmentOf.ts";
import { requireReplayFits } from "../plan/fitReplay.ts";
import { manifestData, manifestDemonstrations } from "../plan/manifestData.ts";
import { openManifestModule } from "../plan/manifestModule.ts";
import { requireRunnable } from "../plan/runIssues.ts";
import { loadDataSpaces } from "../plan/trainingPlace.ts";
import { keptModule } from "../rl/moduleFile.ts";
import { overshootWarning, RlWorkload } from "../rl/RlWorkload.ts";
import { hostExecutor, hostMembers } from "../rl/rlTurnRunner.ts";
import type { RunState } from "../rl/runState.ts";
import type { OutputOptions } from "../session/DirectorySink.ts";
import type { RunSink } from "../session/RunSink.ts";
import { type TrainingParts, trainSession } from "../session/trainSession.ts";
import { trainedBy } from "../workloads/registry.ts";
import { reinforcementLearning } from "../workloads/reinforcementLearning.ts";
import {
  algorithmSection,
  environmentSection,
  liveSection,
  outputWarnings,
  refuseConflicts,
  refuseRlOptions,
  TRAIN_OPTIONS,
  TRAINER_OPTIONS,
  type TrainOptions,
} from "./localTrainerOptions.ts";
import { ownNetworks } from "./ownNetworks.ts";
import { startingRun } from "./startingRun.ts";
import {
  type ManifestOptions,
  OutputLostError,
  Trainer,
  type TrainerOptions,
  type TrainingLoopReturn,
} from "./Trainer.ts";
import { requireWorkloadRuns, workloadStart } from "./workloadStart.ts";

const EXAMPLE = '{ algorithm: "DQN", environment: "CartPole-v1" }';

/** The parts of a run that its workload determines. */
type BuiltRun = Omit<TrainingParts, "environment" | "algorithm" | "facts" | "manifest"> & {
  readonly warnings: readonly string[];
  readonly populationOf: (state: RunStateOf) => SupportedAgent[];
};

/**
 * Trains a population in this process: from specs, or from a manifest (`LocalTrainer.fromManifest`).
 *
 * @example
 * ```ts
 * const trainer = new LocalTrainer({
 *   algorithm: { name: "DQN", lr: 0.001 },
 *   environment: { name: "CartPole-v1", num_envs: 8 },
 *   training: { pop_size: 4, max_steps: 60_000, evo_steps: 4_000 },
 *   hpo: true,
 * });
 * const [population, fitnesses] = await trainer.train({ verbose: false });
 * ```
 */
export class LocalTrainer extends Trainer {
  readonly manifest: TrainingManifest;
  readonly #options: TrainerOptions;
  readonly #definition: WorkloadDefinition;
  readonly #device: DeviceChoice;
  /** The caller's vector environment, stepped on the host; null for a registered environment. */
  readonly #live: VectorEnvironment | null;
  /** Spaces of a reinforcement-learning run; other workloads do not use this or the fields below. */
  #spaces: Spaces | null = null;
  readonly #mutations: Mutations | null;
  readonly #selection: SelectionStrategy | null;
  readonly #memory: ReplayBuffer | null;
  #given: Readonly<Record<string, NetworkState>> = {};
  #champion: SupportedAgent | null = null;
  #evolution: EvolutionReport | null = null;
  #before: Member | null = null;
  /** Warnings from opening the module of the environment. */
  #opened: readonly string[] = [];

  /**
   * Only validates; nothing is built before `train()`.
   * @throws SpecError for invalid specs; TypeError and RangeError for options that are unknown, of the wrong
   *   type or invalid; Error for mutually exclusive options.
   */
  constructor(options: TrainerOptions, ...positional: never[]) {
    super();
    checkOptions("LocalTrainer", options, TRAINER_OPTIONS, { example: EXAMPLE, positional });
    refuseConflicts(options);
    this.#options = options;
    const asked = deviceOf(options);
    // A bandit's table is in this thread.
    const device = asked === "auto" && options.environment instanceof BanditEnvironment ? "wasm" : asked;
    const selection = givenSelection<TrainerOptions["selection_strategy"]>(options) ?? null;
    this.#mutations = options.mutation instanceof Mutations ? options.mutation : null;
    this.#selection = isSelectionStrategy(selection) ? selection : null;
    this.#memory = options.replay_buffer instanceof ReplayBuffer ? options.replay_buffer : null;
    const lanes = lanesOf(options.environment);
    this.#live = lanes && registeredPlace(lanes) === null ? lanes : null;
    if (this.#live) requireNoGame(this.#live, "environment");
    if (this.#live && device !== "wasm") {
      throw new RangeError(
        `device: found "${device}", and an environment that is stepped in this process trains on "wasm"`,
      );
    }
    this.manifest = parseManifestObject(
      {
        algorithm: algorithmSection(options, lanes),
        environment: lanes
          ? liveSection(options.environment, lanes)
          : environmentSection(options.environment),
        training: { ...options.training, ...(options.hpo === undefined ? {} : { hpo: options.hpo }) },
        network: options.network ?? null,
        mutation: this.#mutations ? null : mutationSection(options.mutation),
        selection_strategy: this.#selection ? null : selection,
        replay_buffer: this.#memory ? memorySection(this.#memory) : (options.replay_buffer ?? null),
      },
      this.#live ? {} : { environments: listEnvironments() },
    );
    const { manifest } = this;
    const { algorithm } = manifest;
    this.#definition = this.#live ? reinforcementLearning : (trainedBy(manifest) ?? reinforcementLearning);
    if (this.#definition.name !== reinforcementLearning.name) {
      refuseRlOptions(options, this.#definition.name);
      requireWorkloadRuns(this.#definition, manifest);
      this.#device = this.#definition.runs.deviceOf(manifest, device);
      return;
    }
    const live = this.#live && {
      ...spacesOf(this.#live),
      max_episode_steps: this.#live.spec?.max_episode_steps ?? null,
    };
    requireRunnable(manifest, live);
    this.#device =
      live && manifest.training.fitness === "environment"
        ? { device, notice: null }
        : this.#definition.runs.deviceOf(manifest, device);
    this.#spaces = live ? hostLayout(live) : memoryLayout(environmentOf(manifest));
    const seed = seedOf(manifest, options.seed);
    const ranges = options.hp_config ?? evolutionOf(manifest, requireSeed(seed)).hp_config;
    const hp_config = ranges.check(scalarsOf(algorithm), algorithmDefinition(algorithm.name));
    if (options.hp_config) this.#options = { ...options, hp_config };
    this.#given = ownNetworks(options, algorithm, this.#spaces, agentNetwork(manifest));
  }

  /**
   * Creates a trainer from a manifest: a path to a YAML or JSON file, a URL, YAML or JSON text, an object, or
   * a parsed TrainingManifest. "file:" URLs are read, others fetched. Options are forwarded to the
   * constructor and override the manifest. If the environment names a module, it is first opened in a sandbox
   * and validated; a resumed run uses the module stored with the run.
   * @returns a trainer of the class that the method is called on.
   * @throws StorageError for a file that cannot be read or is a directory; SpecError listing every problem of
   *   the manifest; also the errors of the constructor.
   */
  static async fromManifest<T extends LocalTrainer>(
    this: new (
      options: TrainerOptions,
    ) => T,
    manifest: ManifestSource,
    options: ManifestOptions = {},
    ...positional: never[]
  ): Promise<T> {
    const example = '{ device: "cpu" }';
    requireOptions("LocalTrainer.fromManifest", options, { example, positional });
    const { environment_timeout_s, ...rest } = options;
    const read = await readManifest(manifest, options.store, undefined, options);
    const { manifest: parsed, warnings } = await openManifestModule(read, {
      store: options.store,
      kept: await keptBy(options),
      ...(environment_timeout_s !== undefined && { timeout_s: environment_timeout_s }),
    });
    const { algorithm, environment, training, network, mutation, selection_strategy, replay_buffer } = parsed;
    const given = Object.entries(rest).filter(([, value]) => value !== undefined);
    const store = options.store ?? (await defaultStore());
    await loadDataSpaces(parsed, store);
    const place = environment.env_type === "bandit" ? await readBandit(environment, store) : environment;
    const trainer = new this({
      algorithm,
      environment: place as TrainerOptions["environment"],
      training,
      network,
      mutation,
      selection_strategy,
      replay_buffer,
      ...Object.fromEntries(given),
    } as TrainerOptions);
    trainer.#opened = warnings;
    return trainer;
  }

  /**
   * The best member of the last run, ever: with `training.final_episodes`, the best of a final evaluation of the
   * fittest member ever seen and the final members, else the fittest ever seen. Null before `train()`.
   */
  get champion(): SupportedAgent | null {
    return this.#champion;
  }

  /** Evaluations, gains of mutations and diversity of the last run; null before `train()`. */
  get evolution(): EvolutionReport | null {
    return this.#evolution;
  }

  /**
   * Begins, unless it resumes, as the stage after the run that ended with a member: with its actor, which is the reference too.
   * @internal
   */
  after(member: Member): this {
    this.#before = member;
    return this;
  }

  /** The device that members train on: the requested one, or wasm if the environment requires it. */
  get device(): AskedDevice {
    return this.#device.device;
  }

  /** Additional information for the files of its members. */
  get facts(): object {
    const { manifest } = this;
    if (!this.#live) return this.#definition.runs.facts(manifest);
    const { name, num_envs } = manifest.environment;
    return { ...spacesOf(this.#live), environment: name, num_envs };
  }

  /**
   * Trains until the run ends. A failed save is reported as a warning; without `verbose` and `observer`,
   * warnings are logged to the console.
   * @returns the population and each member's fitness in its last evaluation.
   * @throws TypeError or RangeError for options; StorageError when the checkpoint to start from cannot be
   *   read or does not fit; DivergedError when members' numbers are no longer finite and the run cannot
   *   replace them; {@link OutputLostError} at the end, with the population, when the elite or checkpoints
   *   were requested and none could be written.
   */
  async train(options: TrainOptions = {}, ...positional: never[]): Promise<TrainingLoopReturn> {
    checkOptions("LocalTrainer.train", options, TRAIN_OPTIONS, { example: "{ verbose: false }", positional });
    return this.#train(options);
  }

  /**
   * Trains as `train` does, into a sink of the caller.
   * @param sinkAround Returns that sink. It receives the outputs that the options request, which it writes.
   * @internal
   */
  async trainInto(
    sinkAround: (outputs: RunSink) => RunSink,
    options: TrainOptions,
  ): Promise<TrainingLoopReturn> {
    return this.#train(options, sinkAround);
  }

  async #train(
    options: TrainOptions,
    sinkAround?: (outputs: RunSink) => RunSink,
  ): Promise<TrainingLoopReturn> {
    const { manifest } = this;
    const { algorithm, environment } = manifest;
    const trackers = trackersOf(options, {
      algorithm: algorithm.name,
      environment: environment.name,
      multi_agent: algorithmDefinition(algorithm.name).multi_agent,
      config: manifestToObject(manifest) as Readonly<Record<string, unknown>>,
    });
    const output = this.#output(options);
    const observer = observerOf(options.observer);
    const start = seeded(this.#options, options.seed);
    const { populationOf, warnings, ...parts } = this.#spaces
      ? await this.#learners(start, this.#spaces, output, observer)
      : await this.#members(start, options, observer);
    const { state, end, lost } = await trainSession({
      ...output,
      ...parts,
      trackers,
      warnings: [...outputWarnings(options, output), ...warnings],
      environment: environment.name,
      algorithm: algorithm.name,
      facts: this.facts,
      manifest: manifestToObject(manifest),
      observer,
      store: this.#options.store,
      // A caller that observes a run of another workload knows the type of its members.
      onRun: options.onRun as ((run: TrainingRun) => void) | undefined,
      sinkAround,
    });
    const { champion } = state;
    this.#champion = (champion && populationOf({ ...state, members: [champion] })[0]) ?? null;
    this.#evolution = end.evolution ?? null;
    const fitnesses = [...end.fitnesses];
    if (!lost) return [populationOf(state), fitnesses];
    const population = this.#spaces ? populationOf(state) : [];
    throw new OutputLostError(lost.message, { population, fitnesses, cause: lost.cause });
  }

  #output(options: TrainOptions): OutputOptions {
    const { training } = this.manifest;
    const { verbose, save_elite, elite_path } = options;
    return {
      verbose,
      save_elite,
      elite_path,
      checkpoint_steps: options.checkpoint_steps ?? training.checkpoint_steps,
      checkpoint_path: options.checkpoint_path ?? training.checkpoint_path,
      overwrite_checkpoints: options.overwrite_checkpoints ?? training.overwrite_checkpoints,
    };
  }

  /** Warnings about the manifest and the trainer's other options. */
  #warnings({ checkpoint_steps = null }: OutputOptions): string[] {
    const { manifest } = this;
    const episode = this.#live ? (this.#live.spec?.max_episode_steps ?? null) : longestEpisode(manifest);
    const { notice } = this.#device;
    const oneThread = this.#live && oneThreadWarning(this.#options.accelerator);
    const gamma =
      this.#memory &&
      gammaWarning({ memory: this.#memory, n_step_memory: null }, [scalarsOf(manifest.algorithm).gamma]);
    return [
      ...(notice === null ? [] : [notice]),
      ...((!this.#live && userEnvironmentOf(manifest)?.warnings) || []),
      ...this.#opened,
      ...(oneThread === null ? [] : [oneThread]),
      ...(gamma === null ? [] : [gamma]),
      ...startWarnings([
        { hyperparameters: scalarsOf(manifest.algorithm), hp_config: this.#options.hp_config ?? null },
      ]),
      ...runWarnings(
        {
          ...manifest,
          training: { ...manifest.training, checkpoint_steps },
          mutation: this.#mutations ? MutationSpec.parse({}) : manifest.mutation,
          selection_strategy: this.#selection
            ? TournamentSelectionSpec.parse({})
            : manifest.selection_strategy,
        },
        episode,
        this.#live !== null && lastingLanes(this.#live) === null,
      ),
    ];
  }

  /** The parts of a run of another workload than reinforcement learning. Its members are plain data. */
  async #members(
    start: TrainerOptions,
    { completion_logging }: TrainOptions,
    observer: TrainingObserver | undefined,
  ): Promise<BuiltRun> {
    const { manifest } = this;
    const definition = this.#definition;
    await definition.runs.fetch?.(manifest, this.#options.store ?? (await defaultStore()), observer);
    const { notice } = this.#device;
    const { state, seed, warnings } = await workloadStart(definition, manifest, {
      ...start,
      before: this.#before,
    });
    const logging =
      completion_logging && parseSpec(CompletionLoggingConfig, completion_logging, "completion_logging");
    return {
      ...definition.runs.prepare(manifest, seed, state.members.length, {
        recipe: state.recipe,
        ...(logging && { completion_logging: logging }),
      }),
      state,
      seed,
      files: definition.files,
      makeExecutor: (onNotice) => this.#executor(definition, onNotice),
      warnings: [...(notice === null ? [] : [notice]), ...definition.runs.warnings(manifest), ...warnings],
      // The return type is that of reinforcement learning, which most runs use.
      populationOf: ({ members }) => members as unknown as SupportedAgent[],
    };
  }

  #executor<K extends Kinds>(
    definition: WorkloadDefinition<K>,
    onNotice: (message: string) => void,
  ): Executor<K> {
    const { accelerator = null } = this.#options;
    return makeExecutor({ definition, device: this.device, accelerator, onNotice });
  }

  /** The parts of a run of reinforcement learning. */
  async #learners(
    options: TrainerOptions,
    spaces: Spaces,
    output: OutputOptions,
    observer: TrainingObserver | undefined,
  ): Promise<BuiltRun> {
    const { manifest } = this;
    const data = await manifestData(manifest, spaces, {
      store: this.#options.store,
      observer,
      memory: this.#memory,
    });
    const context = { store: this.#options.store, observer };
    const shown = await manifestDemonstrations(manifest, spaces, context);
    const start = await startingRun(options, {
      manifest,
      spaces,
      shown,
      freshSeed: seedOf(manifest, manifest.training.seed ?? this.#mutations?.rand_seed),
      given: this.#given,
      memory: data ? null : this.#memory,
      data,
    });
    const { seed } = start;
    const state = data && this.#memory ? await adoptData(start.state, this.#memory, data) : start.state;
    const plan = planOf(manifest, seed, state.recipe);
    requireReplayFits(state, plan);
    const over = overshootWarning(plan, state.members);
    const fromSpecs = evolutionOf(manifest, seed, state.members.length, state.recipe);
    const hp_config = options.hp_config ?? fromSpecs.hp_config;
    const { observation_space, action_space } = spaces;
    const agents = { observation_space, action_space, hp_config, seed };
    return {
      state,
      plan,
      workload: new RlWorkload({ plan, hp_config, observation_space }),
      files: reinforcementLearning.files,
      seed,
      hyperparameters: hp_config.names,
      ...(observation_space.kind === "Agents" && { agents: observation_space.ids }),
      makeExecutor: (onNotice) =>
        this.#live ? hostExecutor(hostMembers(this.#live)) : this.#executor(reinforcementLearning, onNotice),
      selection: this.#selection ?? fromSpecs.selection,
      mutation: this.#mutations ?? fromSpecs.mutation,
      warnings: [
        ...start.warnings,
        ...(data?.warnings ?? []),
        ...(shown?.warnings ?? []),
        ...this.#warnings(output),
        ...(over === null ? [] : [over]),
      ],
      // States of this workload are those of reinforcement learning.
      onEnd: (last) => this.#memory && settleMemory(this.#memory, (last as RunState).replay),
      populationOf: ({ members }) => agentsFromStates(members as RunState["members"], agents),
    };
  }
}

/** @throws RangeError for a seed of `train()` that is invalid or differs from the trainer's. */
function seeded(options: TrainerOptions, seed: number | undefined): TrainerOptions {
  if (seed === undefined) return options;
  requireSeed(seed);
  if (options.seed !== undefined && options.seed !== seed)
    throw new RangeError(
      `seed: found ${seed}, but the trainer was made with ${options.seed}; give the seed once`,
    );
  return { ...options, seed };
}

/** The module stored with the run to resume. */
const keptBy = async ({ store, resume_from_checkpoint }: ManifestOptions) =>
  resume_from_checkpoint ? keptModule(store ?? (await defaultStore()), resume_from_checkpoint) : null;

const deviceOf = ({ accelerator, device }: TrainerOptions) =>
  resolveDevice(accelerator?.device ?? device ?? "cpu");
