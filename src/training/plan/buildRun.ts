/** Builds the parts of a run from a manifest. */

import {
  type AgentState,
  createAgent,
  emptyRows,
  type FittedQSettings,
  scalarsOf,
} from "../../agents/members.ts";
import { HyperparameterConfig, Mutations, Random, type SelectionStrategy } from "../../evolution/index.ts";
import { type SelectionRun, selectionDefinition } from "../../evolution/selections.ts";
import {
  type AlgoSpec,
  agentNetwork,
  algorithmDefinition,
  algorithmFields,
  defaultHpRanges,
  evolutionSections,
  evolvesAlone,
  MutationSpec,
  manifestWarnings,
  NO_MUTATION,
  SpecError,
  type TrainingManifest,
} from "../../manifests/index.ts";
import { dataAloneOptions } from "../../rl/environments.ts";
import type { NetworkState } from "../../rl/networks.ts";
import { replayFields } from "../../rl/programs.ts";
import { type AgentSpaces, spaceToJson } from "../../rl/spaces.ts";
import { earlyStoppingOf } from "../loop/LoopPlan.ts";
import type { RunPlan } from "../rl/kinds.ts";
import type { ReplayState, RunState } from "../rl/runState.ts";
import { dataSpacesOf, isDataAlone } from "./dataSpaces.ts";
import { demonstrationShare, imitationOf } from "./demonstrationRuns.ts";
import { envConfigOf, userEnvironmentOf } from "./environmentOf.ts";
import { manifestNormalization } from "./environmentShaping.ts";
import { opponentsPlan, opponentWarnings } from "./gameRuns.ts";
import { tableOf } from "./trainingPlace.ts";

/** Default number of choices in an evaluation. */
const EVAL_STEPS = 100;

/** Bandits explore by their uncertainty, without epsilon, and learn as soon as there is a batch. */
export const BANDIT: NonNullable<RunPlan["off_policy"]> = {
  learning_delay: 0,
  eps_end: 0,
  eps_decay: 1,
  memory: { n_step: 1, alpha: null },
};

export type BanditRhythm = Pick<RunPlan, "evo_steps" | "eval_steps" | "evolve_every" | "mean_rewards">;

/**
 * A turn has `episode_steps` choices. Evolution follows after `evo_steps` choices, rounded up to whole turns.
 * @internal
 */
export const banditRhythm = ({
  evo_steps,
  episode_steps,
  eval_steps,
}: {
  readonly evo_steps: number;
  readonly episode_steps: number;
  readonly eval_steps: number | null;
}): BanditRhythm => ({
  evo_steps: episode_steps,
  evolve_every: Math.max(1, Math.ceil(evo_steps / episode_steps)),
  eval_steps: eval_steps ?? EVAL_STEPS,
  mean_rewards: true,
});

/** Defaults of the training function for values that the manifest leaves out (interface 4.5). */
const EPSILON = { start: 1, end: 0.01, decay: 0.999 } as const;
const REPLAY_SIZE = 100_000;
const DEFAULT_SEED = 42;

/** Members of an offline run act only in evaluation, greedily, and learn from single steps. */
export const OFFLINE: NonNullable<RunPlan["off_policy"]> = {
  offline: true,
  learning_delay: 0,
  eps_end: 0,
  eps_decay: 1,
  memory: { n_step: 1, alpha: null },
};

/**
 * Settings of offline and bandit algorithms, which use a replay buffer but are not off-policy; null for
 * others.
 */
function ofMemory({
  offline,
  bandit,
}: {
  readonly offline: boolean;
  readonly bandit: boolean;
}): RunPlan["off_policy"] {
  if (offline) return OFFLINE;
  return bandit ? BANDIT : null;
}

/** The seed of a run: the option, else the manifest's, else 42. */
export const seedOf = (manifest: TrainingManifest, seed?: number): number =>
  seed ?? manifest.training.seed ?? manifest.mutation?.rand_seed ?? DEFAULT_SEED;

/** The manifest with the seed in effect, where it has its own, so that the manifest repeats the run. */
export function withSeed({ training, mutation, ...rest }: TrainingManifest, seed: number): TrainingManifest {
  const isOfMutation = mutation !== null && training.seed === null;
  return {
    ...rest,
    training: isOfMutation ? training : { ...training, seed },
    mutation: mutation && { ...mutation, rand_seed: seed },
  };
}

/** Spaces of a run's environment, as its replay buffer stores them. */
export type Spaces = AgentSpaces;

/** The data of a user's environment that threads need; empty for other environments. */
function userModuleOf(manifest: TrainingManifest): Pick<RunPlan, "user_module"> {
  const user = userEnvironmentOf(manifest);
  if (!user) return {};
  const { id: name, module, entrypoint, timeout_s, options = {}, observation_space, action_space } = user;
  const { sha256, script } = module;
  const spaces = { observation: spaceToJson(observation_space), action: spaceToJson(action_space) };
  return { user_module: { name, sha256, script, entrypoint, options, timeout_s, spaces } };
}

/** Intervals, limits and exploration settings of a run. */
export function planOf(manifest: TrainingManifest, seed: number, recipe?: number): RunPlan {
  const { training, environment, algorithm } = manifest;
  const { final_episodes, learn_from } = evolutionSections(manifest, recipe);
  const { off_policy, offline, bandit, evo_steps, multi_agent } = algorithmDefinition(algorithm.name);
  const { episode_steps, eval_steps } = training;
  const imitation = imitationOf(manifest);
  const rhythm = { evo_steps: training.evo_steps ?? Math.min(evo_steps, training.max_steps), eval_steps };
  return {
    environment: environment.name,
    env_config: planConfigOf(manifest),
    ...userModuleOf(manifest),
    table: tableOf(manifest),
    // Bandits make one choice at a time.
    num_envs: bandit ? 1 : environment.num_envs,
    seed,
    max_steps: training.max_steps,
    max_wall_seconds: training.max_wall_seconds,
    // Without an environment, the data alone rank members.
    eval_loop: isDataAlone(manifest) ? 0 : training.eval_loop,
    ...(bandit ? banditRhythm({ ...rhythm, episode_steps }) : rhythm),
    target: training.target_score,
    early_stopping: earlyStoppingOf(training),
    final_episodes: isDataAlone(manifest) ? 0 : final_episodes,
    fitness_window: training.fitness_window,
    // An estimate has no more episodes.
    tie_episodes: training.fitness === "fqe" ? 0 : training.tie_episodes,
    ...(multi_agent && { sum_scores: training.sum_scores }),
    ...(multi_agent && !off_policy && { max_steps_of: "population" as const }),
    ...(training.fitness === "fqe" && { fqe: fittedQOf(manifest) }),
    ...opponentsPlan(manifest),
    off_policy: off_policy
      ? {
          learning_delay: training.learning_delay,
          eps_end: training.eps_end ?? EPSILON.end,
          eps_decay: training.eps_decay ?? EPSILON.decay,
          ...(learn_from === "population" && { max_replay_ratio: training.max_replay_ratio }),
          memory: memoryOf(manifest),
        }
      : ofMemory({ offline, bandit }),
    ...(imitation && { imitation }),
  };
}

/** The environment's options as each thread needs them; null if there are none, or the data of a run were not read. */
function planConfigOf(manifest: TrainingManifest): RunPlan["env_config"] {
  const spaces = dataSpacesOf(manifest);
  return spaces ? dataAloneOptions(spaces) : envConfigOf(manifest);
}

/** How the values of members are fitted: with the manifest's discount, whatever theirs have become. */
export function fittedQOf({ algorithm, training: { fqe_steps, fqe_lr } }: TrainingManifest): FittedQSettings {
  const { gamma } = scalarsOf(algorithm);
  return { steps: fqe_steps, lr: fqe_lr, gamma: Number(gamma) };
}

/** Steps of a run in rounds of selection of one member, and generations between two of them. */
function rounds({
  algorithm,
  training,
  environment,
}: TrainingManifest): Pick<SelectionRun, "steps" | "evolve_every"> {
  const { language_model, bandit, ...usual } = algorithmDefinition(algorithm.name);
  const { max_steps, evo_steps, episode_steps, eval_steps } = training;
  const every = evo_steps ?? usual.evo_steps;
  if (bandit) {
    const { evolve_every = 1 } = banditRhythm({ evo_steps: every, episode_steps, eval_steps });
    return { steps: max_steps / (evolve_every * episode_steps), evolve_every };
  }
  if (!language_model) return { steps: max_steps / every, evolve_every: 1 };
  // Episodes may have fewer turns.
  const sizes: Readonly<Record<string, unknown>> = { ...algorithm, ...environment };
  const { batch_size = 1, group_size = 1, max_turns } = sizes;
  const iteration = Number(batch_size) * Number(group_size) * Number(max_turns ?? 1);
  return { steps: max_steps / (iteration * every), evolve_every: every };
}

interface Evolution {
  readonly selection: SelectionStrategy | null;
  readonly mutation: Mutations | null;
  readonly hp_config: HyperparameterConfig;
}

/**
 * Selection, mutation and hyperparameter ranges; `hpo` fills in defaults for absent sections.
 * @param population Population size (default: from the manifest).
 */
export function evolutionOf(
  manifest: TrainingManifest,
  seed: number,
  population = manifest.training.pop_size,
  recipe?: number,
): Evolution {
  const { algorithm, training } = manifest;
  const { mutation, selection_strategy: selection } = evolutionSections(manifest, recipe);
  const { multi_agent, on_policy, language_model } = algorithmDefinition(algorithm.name);
  const options = {
    population_size: population,
    rand_seed: seed,
    eval_loop: training.fitness_window,
    ...rounds(manifest),
    isShared: (multi_agent && on_policy) || language_model,
  };
  const isAlone = selection !== null && evolvesAlone(selection) && mutation === null;
  const still = selection?.strategy === "none" || isAlone;
  const mutates = still ? MutationSpec.parse({ probabilities: NO_MUTATION }) : mutation;
  return {
    selection: selection && selectionDefinition(selection).create(selection, options),
    mutation: mutates ? Mutations.fromSpec(mutates, { rand_seed: seed }) : null,
    hp_config: hpConfigOf(algorithm, mutation?.rl_hp_selection),
  };
}

/** Ranges of a mutation section; defaults to the algorithm's own ranges. */
export function hpConfigOf(
  algorithm: AlgoSpec,
  selection: MutationSpec["rl_hp_selection"] | undefined,
): HyperparameterConfig {
  const given = selection && Object.keys(selection).length > 0 ? selection : defaultHpRanges(algorithm);
  return HyperparameterConfig.fromSelection(given, algorithmFields(algorithm.name));
}

/** Members with fresh weights, one for each slot. */
export function initialMembers(
  manifest: TrainingManifest,
  spaces: Spaces,
  seed: number,
  given?: Readonly<Record<string, NetworkState>>,
  hp_config = evolutionOf(manifest, seed).hp_config,
): AgentState[] {
  const { algorithm, mutation, training } = manifest;
  const normalization = manifestNormalization(manifest);
  return Array.from({ length: training.pop_size }, (_, index) => {
    const agent = createAgent({
      spec: algorithm,
      observation_space: spaces.observation_space,
      action_space: spaces.action_space,
      network: agentNetwork(manifest),
      ranges: mutation?.network ?? null,
      normalization,
      seed,
      index,
      ...(given ? { given } : {}),
    });
    return {
      ...agent,
      hyperparameters: { ...agent.hyperparameters, ...drawn(hp_config, seed, index, agent.hyperparameters) },
    };
  });
}

/** Initial values of the hyperparameters that start at drawn ones; the first member keeps those given. */
export const drawn = (
  hp_config: HyperparameterConfig,
  seed: number,
  slot: number,
  given: Readonly<Record<string, unknown>>,
): ReturnType<HyperparameterConfig["draw"]> =>
  slot === 0 ? {} : hp_config.draw(new Random({ seed, stream: "initial", slot }), given);

/** An empty replay buffer of `max_size` transitions, with a segment for each member. */
export function emptyReplay(spaces: Spaces, population: number, max_size: number): ReplayState {
  const segment = Math.floor(max_size / population);
  const fields = replayFields(spaces);
  const each = <T>(make: () => T): T[] => Array.from({ length: population }, make);
  return {
    segment,
    rings: each(() => ({ position: 0, count: 0 })),
    segments: each(() => emptyRows(fields, segment)),
    priorities: null,
  };
}

/** How transitions are sampled from the replay buffer. */
function memoryOf(manifest: TrainingManifest): NonNullable<RunPlan["off_policy"]>["memory"] {
  const { replay_buffer } = manifest;
  const share = demonstrationShare(manifest);
  const shown = share !== null && { demonstrations: share };
  if (replay_buffer?.kind !== "classic") return { n_step: 1, alpha: null, ...shown };
  const { n_step_buffer, n_step_buffer_args, per_buffer, per_buffer_args, her } = replay_buffer;
  return {
    n_step: n_step_buffer ? n_step_buffer_args.n_step : 1,
    alpha: per_buffer ? per_buffer_args.alpha : null,
    ...shown,
    ...(her && { her }),
  };
}

/** Total capacity of the replay buffer, in transitions. */
export function replaySize({ replay_buffer }: TrainingManifest): number {
  return replay_buffer && replay_buffer.kind === "classic" ? replay_buffer.max_size : REPLAY_SIZE;
}

/**
 * @param population Number of members that share the replay buffer.
 * @throws SpecError when a member's segment cannot hold one vector step.
 */
export function requireReplay(manifest: TrainingManifest, population: number): void {
  const { environment } = manifest;
  const size = replaySize(manifest);
  const segment = Math.floor(size / population);
  if (segment >= environment.num_envs) return;
  const least = environment.num_envs * population;
  const message = `found ${size}, which gives each of ${population} members ${segment} transitions; allowed: at least ${least} (num_envs x pop_size)`;
  const segments = ["replay_buffer", "max_size"];
  throw new SpecError([{ code: "rule", path: segments.join("."), segments, message }], "manifest");
}

/**
 * The state before the first generation; for an offline run, without its data.
 * @throws SpecError when the replay buffer is too small for the members.
 */
export function initialState(
  manifest: TrainingManifest,
  members: readonly AgentState[],
  spaces: Spaces,
): RunState {
  const { off_policy, bandit, offline, evolution_strategy } = algorithmDefinition(manifest.algorithm.name);
  const goesOn = !manifest.training.reset_each_generation && !bandit && !offline && !evolution_strategy;
  const user = userEnvironmentOf(manifest);
  const remembers = off_policy || bandit;
  if (remembers) requireReplay(manifest, members.length);
  return {
    generation: 0,
    members,
    elite: null,
    epsilon: manifest.training.eps_start ?? EPSILON.start,
    replay: remembers ? emptyReplay(spaces, members.length, replaySize(manifest)) : null,
    evolution_due: false,
    gpu_workgroups: null,
    ...(goesOn && { lanes: members.map(() => null) }),
    ...(user && { user_module: user.module }),
    started: false,
    device: null,
  };
}

/**
 * A generation shorter than this fraction of the longest episode gets a warning. The fraction is small,
 * because few episodes approach the limit.
 */
const SHORT = 0.25;

/**
 * For runs whose episodes end with each generation: a warning when a lane's steps per generation are less than a quarter of `episode`, the longest episode;
 * else null.
 */
export function shortGeneration(evo_steps: number, num_envs: number, episode: number | null): string | null {
  const perLane = Math.floor(evo_steps / num_envs);
  if (episode === null || perLane >= SHORT * episode) return null;
  return `evo_steps ${evo_steps} over ${num_envs} environments is ${perLane} steps each, less than an episode of up to ${episode}: environments reset at each generation's start here, so long episodes are cut short in training`;
}

/** Warnings about settings that require more transitions than the replay buffer can hold. */
function memoryWarnings(manifest: TrainingManifest): string[] {
  const { algorithm, training } = manifest;
  const size = Math.floor(replaySize(manifest) / training.pop_size) * training.pop_size;
  const never = `the replay buffer holds ${size} transitions, so agents never learn`;
  const warnings: string[] = [];
  if (training.learning_delay >= size)
    warnings.push(`training.learning_delay is ${training.learning_delay}: ${never}`);
  if ("batch_size" in algorithm && algorithm.batch_size > size)
    warnings.push(`algorithm.batch_size is ${algorithm.batch_size}: ${never}`);
  return warnings;
}

/** Settings of language-model training. */
const LANGUAGE_MODEL = ["num_epochs", "evo_epochs"] as const;

/**
 * Warnings for a run's owner before it starts: settings without effect or in conflict. A manifest with
 * defaults only has none.
 * @param episode Steps of the longest episode; null if unknown.
 * @param isCut Whether the environment's episodes cannot go on in the next generation.
 * @internal
 */
export function runWarnings(manifest: TrainingManifest, episode: number | null, isCut = false): string[] {
  const { algorithm, training, environment } = manifest;
  const { off_policy, offline, bandit, evo_steps } = algorithmDefinition(algorithm.name);
  const warnings = manifestWarnings(manifest).map(({ path, message }) => `${path} ${message}`);
  warnings.push(...opponentWarnings(manifest));
  if (off_policy || bandit) warnings.push(...memoryWarnings(manifest));
  for (const key of LANGUAGE_MODEL) {
    if (training[key] !== null)
      warnings.push(`training.${key} has no effect: ${algorithm.name} does not train language models`);
  }
  if (offline || bandit || !(training.reset_each_generation || isCut)) return warnings;
  const short = shortGeneration(training.evo_steps ?? evo_steps, environment.num_envs, episode);
  return short === null ? warnings : [...warnings, `training.${short}`];
}
