/** Trains in this process (interface 4.2). */
import { HyperparameterConfig, Mutations, type SelectionStrategy } from "../evolution/index.ts";
import type { AgentState, NetworkState } from "../rl/agents/agentState.ts";
import { agentsFromStates, givenNetworks } from "../rl/agents/index.ts";
import { ReplayBuffer } from "../rl/buffers/index.ts";
import {
  CompiledVectorEnvironment,
  findEnvironment,
  type HostEnvironment,
  listEnvironments,
  type VectorEnvironment,
} from "../rl/environments/index.ts";
import { EvolvableModule } from "../rl/modules/index.ts";
import {
  type ManifestInput,
  manifestToObject,
  parseManifest,
  parseManifestObject,
  type TrainingManifest,
} from "../specs/index.ts";
import type { FileStore } from "../storage/index.ts";
import { defaultStore } from "./defaultStore.ts";
import { resolveDevice } from "./device.ts";
import type { Executor } from "./executor.ts";
import { hostMembers, vectorOf } from "./hostMembers.ts";
import { InThreadExecutor } from "./inThreadExecutor.ts";
import { loadCheckpoint, loadElite, requireSameKind, withWeightsOf } from "./loadCheckpoint.ts";
import { makeExecutor } from "./makeExecutor.ts";
import { memoryState, settleMemory } from "./memoryState.ts";
import type { TrainingObserver } from "./observer.ts";
import {
  evolutionOf,
  initialMembers,
  initialState,
  planOf,
  runWarnings,
  type Spaces,
  seedOf,
} from "./run/buildRun.ts";
import { runSession } from "./run/runSession.ts";
import type { RunState } from "./run/runState.ts";
import type { TrainingRun } from "./run/trainingRun.ts";
import { type ManifestOptions, Trainer, type TrainerOptions, type TrainingLoopReturn } from "./Trainer.ts";
import { warn, warnOnce } from "./warn.ts";

/** Options of `train()` (interface 4.2). */
export interface TrainOptions {
  /** Prints progress and a table for each generation; true unless given. */
  readonly verbose?: boolean;
  readonly save_elite?: boolean;
  readonly elite_path?: string | null;
  /** Experiment tracker; not available in this build. */
  readonly wb?: boolean;
  /** Scalar logs; not available in this build. */
  readonly board?: boolean;
  readonly board_log_dir?: string | null;
  readonly checkpoint_steps?: number | null;
  readonly checkpoint_path?: string | null;
  readonly overwrite_checkpoints?: boolean;
  readonly tracker_api_key?: string | null;
  readonly tracker_kwargs?: Readonly<Record<string, unknown>> | null;
  /** Told of every generation, checkpoint and warning. */
  readonly observer?: TrainingObserver;
  /** Called with the run before it starts, to pause or stop it. */
  readonly onRun?: (run: TrainingRun) => void;
}

const OPTIONS = [
  "algorithm",
  "environment",
  "training",
  "mutation",
  "selection_strategy",
  "replay_buffer",
  "network",
  "resume_from_checkpoint",
  "load_weights_from",
  "device",
  "accelerator",
  "hp_config",
  "actor_network",
  "critic_network",
  "actor_networks",
  "critic_networks",
  "hpo",
  "tournament",
  "seed",
  "store",
] as const;
const TRAIN_OPTIONS = [
  "verbose",
  "save_elite",
  "elite_path",
  "wb",
  "board",
  "board_log_dir",
  "checkpoint_steps",
  "checkpoint_path",
  "overwrite_checkpoints",
  "tracker_api_key",
  "tracker_kwargs",
  "observer",
  "onRun",
] as const;

/** @throws TypeError naming the options that are not known. */
export function refuseUnknown(what: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new TypeError(`${what}: unknown option ${unknown.join(", ")}; allowed: ${known.join(", ")}`);
}

/** @throws Error saying that a logger comes later. */
export function refuseLoggers({ wb, board }: { readonly wb?: boolean; readonly board?: boolean }): void {
  if (wb) throw new Error("wb: experiment tracking is not available yet; leave it out");
  if (board) throw new Error("board: scalar logs are not available yet; leave it out");
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isLive = (
  environment: TrainerOptions["environment"],
): environment is HostEnvironment | VectorEnvironment =>
  isObject(environment) && "reset" in environment && "step" in environment;
const isSelection = (value: unknown): value is SelectionStrategy =>
  isObject(value) && "select" in value && typeof value.select === "function";

export class LocalTrainer extends Trainer {
  readonly manifest: TrainingManifest;
  readonly #options: TrainerOptions;
  readonly #live: VectorEnvironment | null;
  readonly #mutations: Mutations | null;
  readonly #selection: SelectionStrategy | null;
  readonly #memory: ReplayBuffer | null;

  /**
   * Validates only; nothing is built before `train()`.
   * @throws SpecError for invalid specs; TypeError for unknown options; Error for options that exclude each other.
   */
  constructor(options: TrainerOptions) {
    super();
    refuseUnknown("LocalTrainer", options, OPTIONS);
    this.#options = options;
    if (options.resume_from_checkpoint && options.load_weights_from) {
      throw new Error(
        "resume_from_checkpoint and load_weights_from exclude each other: the first continues a run, the second starts a new one; give one of them",
      );
    }
    if (options.actor_networks || options.critic_networks) {
      throw new Error(
        "actor_networks and critic_networks belong to multi-agent algorithms, which this build does not have; use actor_network and critic_network",
      );
    }
    resolveDevice(options.accelerator?.device ?? options.device ?? "cpu");
    const selection = selectionOf(options);
    this.#mutations = options.mutation instanceof Mutations ? options.mutation : null;
    this.#selection = isSelection(selection) ? selection : null;
    this.#memory = options.replay_buffer instanceof ReplayBuffer ? options.replay_buffer : null;
    this.#live = liveEnvironment(options.environment);
    this.manifest = parseManifestObject(
      {
        algorithm: typeof options.algorithm === "string" ? { name: options.algorithm } : options.algorithm,
        environment: environmentSection(options.environment, this.#live),
        training: { ...options.training, ...(options.hpo ? { hpo: true } : {}) },
        network: options.network ?? null,
        mutation: this.#mutations ? null : (options.mutation ?? null),
        selection_strategy: this.#selection ? null : (selection ?? null),
        replay_buffer: this.#memory ? { max_size: this.#memory.max_size } : (options.replay_buffer ?? null),
      },
      this.#live ? {} : { environments: listEnvironments() },
    );
    if (options.hp_config && !(options.hp_config instanceof HyperparameterConfig)) {
      throw new TypeError("hp_config: allowed is a HyperparameterConfig");
    }
    for (const name of ["actor_network", "critic_network"] as const) {
      if (options[name] && !(options[name] instanceof EvolvableModule))
        throw new TypeError(`${name}: allowed is an EvolvableModule`);
    }
  }

  /**
   * A trainer from a manifest: a path to a YAML or JSON file, YAML or JSON text, an object, or a parsed
   * TrainingManifest. Options are forwarded to the constructor and win over the manifest.
   */
  static async fromManifest(manifest: ManifestInput, options: ManifestOptions = {}): Promise<LocalTrainer> {
    const parsed = await readManifest(manifest, options.store);
    const { algorithm, environment, training, network, mutation, selection_strategy, replay_buffer } = parsed;
    return new LocalTrainer({
      algorithm,
      environment: environment as TrainerOptions["environment"],
      training,
      network,
      mutation,
      selection_strategy,
      replay_buffer,
      ...options,
    } as TrainerOptions);
  }

  /** Trains to the end. @returns the population and each member's fitness in its last evaluation. */
  async train(options: TrainOptions = {}): Promise<TrainingLoopReturn> {
    refuseUnknown("LocalTrainer.train", options, TRAIN_OPTIONS);
    refuseLoggers(options);
    const { manifest } = this;
    const { training } = manifest;
    const output = {
      verbose: options.verbose ?? true,
      save_elite: options.save_elite ?? false,
      elite_path: options.elite_path ?? null,
      checkpoint_steps: options.checkpoint_steps ?? training.checkpoint_steps,
      checkpoint_path: options.checkpoint_path ?? training.checkpoint_path,
      overwrite_checkpoints: options.overwrite_checkpoints ?? training.overwrite_checkpoints,
    };
    if (output.elite_path && !output.save_elite)
      warn("elite_path is given without save_elite: the elite is not saved");
    if (options.checkpoint_path && output.checkpoint_steps === null)
      warn("checkpoint_path is given without checkpoint_steps: no checkpoints are written");

    const built = await this.#build();
    const { state, end } = await runSession({
      ...output,
      ...built,
      algorithm: manifest.algorithm.name,
      facts: {
        ...built.spaces,
        environment: manifest.environment.name,
        num_envs: manifest.environment.num_envs,
      },
      manifest: manifestToObject(manifest),
      observer: options.observer,
      store: this.#options.store,
      onRun: options.onRun,
    });
    if (this.#memory) settleMemory(this.#memory, state.replay);
    return [
      agentsFromStates(state.members, { ...built.spaces, hp_config: built.hp_config }),
      [...end.fitnesses],
    ];
  }

  async #build() {
    const { manifest } = this;
    const options = this.#options;
    const spaces = this.#spaces();
    const seed = seedOf(manifest, options.seed);
    const { actor_network = null, critic_network = null } = options;
    const given = givenNetworks(manifest.algorithm, spaces, { actor_network, critic_network });
    const { state, runSeed } = await this.#initialState(spaces, seed, given);
    const fromSpecs = evolutionOf(manifest, runSeed);
    const evolution = {
      selection: this.#selection ?? fromSpecs.selection,
      mutation: this.#mutations ?? fromSpecs.mutation,
      hp_config: options.hp_config ?? fromSpecs.hp_config,
    };
    evolution.hp_config.check(scalarsOf(manifest.algorithm));
    const plan = planOf(manifest, runSeed);
    const executor: Executor = this.#live
      ? new InThreadExecutor(hostMembers(this.#live))
      : makeExecutor(options.accelerator ?? null);
    const episode = this.#live ? null : findEnvironment(manifest.environment.name).max_episode_steps;
    return { state, plan, executor, spaces, ...evolution, warnings: runWarnings(manifest, episode) };
  }

  #spaces(): Spaces {
    if (this.#live)
      return {
        observation_space: this.#live.single_observation_space,
        action_space: this.#live.single_action_space,
      };
    const { observation_space, action_space } = findEnvironment(this.manifest.environment.name);
    return { observation_space, action_space };
  }

  async #initialState(
    spaces: Spaces,
    seed: number,
    given: Readonly<Record<string, NetworkState>>,
  ): Promise<{ state: RunState; runSeed: number }> {
    const { manifest } = this;
    const { resume_from_checkpoint, load_weights_from, store } = this.#options;
    const fresh = initialMembers(manifest, spaces, seed, given);
    if (load_weights_from) {
      const source = await loadElite(store ?? (await defaultStore()), load_weights_from);
      const members = fresh.map((m) => withWeightsOf(m, source, load_weights_from));
      return { state: initialState(manifest, members, spaces), runSeed: seed };
    }
    if (!resume_from_checkpoint)
      return { state: this.#withMemory(initialState(manifest, fresh, spaces)), runSeed: seed };
    const loaded = await loadCheckpoint(store ?? (await defaultStore()), resume_from_checkpoint);
    const [first] = fresh;
    if (loaded.kind === "agent") {
      if (first) requireSameKind(first, loaded.agent, resume_from_checkpoint);
      warnOverrides(first, loaded.agent);
      const members = fresh.map((m) => ({ ...loaded.agent, index: m.index, parent: null }));
      return { state: initialState(manifest, members, spaces), runSeed: seed };
    }
    const { state, seed: savedSeed } = loaded.run;
    const [member] = state.members;
    if (first && member) requireSameKind(first, member, resume_from_checkpoint);
    if (state.members.length !== manifest.training.pop_size) {
      warn(
        `resume_from_checkpoint holds ${state.members.length} members, training.pop_size says ${manifest.training.pop_size}; the checkpoint's population goes on`,
      );
    }
    return { state, runSeed: this.#options.seed ?? savedSeed };
  }

  /** The caller's replay buffer as it stands. */
  #withMemory(state: RunState): RunState {
    if (!this.#memory || !state.replay) return state;
    this.#memory.configure(this.#spaces(), state.members.length);
    return { ...state, replay: memoryState(this.#memory) };
  }
}

/** Fields of a spec that are no sections. */
const scalarsOf = (spec: object): AgentState["hyperparameters"] =>
  Object.fromEntries(Object.entries(spec).filter(([, value]) => value === null || typeof value !== "object"));

/** Tells which of the run's hyperparameters the checkpoint changes. */
function warnOverrides(expected: AgentState | undefined, found: AgentState): void {
  const changed = Object.entries(found.hyperparameters).filter(
    ([name, value]) => expected && expected.hyperparameters[name] !== value,
  );
  if (changed.length > 0) {
    warn(
      `the checkpoint's hyperparameters win over the spec's: ${changed.map(([name, value]) => `${name} ${String(value)}`).join(", ")}`,
    );
  }
}

/** The selection strategy under its own name or the deprecated one. */
export function selectionOf({
  selection_strategy,
  tournament,
}: Pick<TrainerOptions, "selection_strategy" | "tournament">) {
  if (!tournament) return selection_strategy ?? null;
  warnOnce("tournament is deprecated: use selection_strategy");
  if (
    selection_strategy &&
    selection_strategy !== tournament &&
    JSON.stringify(selection_strategy) !== JSON.stringify(tournament)
  ) {
    throw new Error(
      "tournament and selection_strategy are both given and differ; give selection_strategy alone",
    );
  }
  return tournament;
}

/** A live environment as lanes; null for names, specs and environments that run compiled. */
function liveEnvironment(environment: TrainerOptions["environment"]): VectorEnvironment | null {
  if (!isLive(environment)) return null;
  const vector = vectorOf(environment);
  return runsCompiled(vector) ? null : vector;
}

/** Whether the lanes are those of a registered environment as it is. */
export function runsCompiled(vector: VectorEnvironment): vector is CompiledVectorEnvironment {
  if (!(vector instanceof CompiledVectorEnvironment)) return false;
  const { id, max_episode_steps } = vector.spec;
  return listEnvironments().includes(id) && findEnvironment(id).max_episode_steps === max_episode_steps;
}

function environmentSection(
  environment: TrainerOptions["environment"],
  live: VectorEnvironment | null,
): object {
  if (typeof environment === "string") return { name: environment };
  if (!isLive(environment)) return environment;
  const vector = live ?? vectorOf(environment);
  const name = (vector as { spec?: { id?: string } }).spec?.id ?? "custom";
  return live ? { name, custom: true, num_envs: vector.num_envs } : { name, num_envs: vector.num_envs };
}

const looksLikePath = (text: string): boolean => !text.includes("\n") && /\.(ya?ml|json)$/i.test(text.trim());

async function readManifest(
  manifest: ManifestInput,
  store: FileStore | undefined,
): Promise<TrainingManifest> {
  const options = { environments: listEnvironments() };
  if (typeof manifest !== "string" || !looksLikePath(manifest)) return parseManifest(manifest, options);
  const bytes = await (store ?? (await defaultStore())).read(manifest.trim());
  return parseManifest(new TextDecoder().decode(bytes), options);
}
