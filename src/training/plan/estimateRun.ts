/** Estimates the resources of a run without allocating anything or drawing any weights. */

import {
  evolutionSizes,
  hiddenSizes,
  type MemberSize,
  memberSize,
  rolloutSizes,
} from "../../agents/members.ts";
import { selectionDefinition } from "../../evolution/selections.ts";
import {
  agentNetwork,
  algorithmDefinition,
  evolutionSections,
  type TrainingManifest,
} from "../../manifests/index.ts";
import { numbersIn, observationField, replayFields, rowWords } from "../../rl/programs.ts";
import { type AgentSpaces, flatSize, hostLayout, statisticsSizes } from "../../rl/spaces.ts";
import { isMapping } from "../../specs/messages.ts";
import { replaySize } from "./buildRun.ts";
import { environmentOf, memoryLayout } from "./environmentOf.ts";
import { manifestNormalization, stackedFrames } from "./environmentShaping.ts";

/**
 * Resources of a run before its first generation; architecture mutations may increase them. Sizes are in
 * bytes, and most are approximate.
 */
export interface RunEstimate {
  /** Weights of one member's networks, including target networks. */
  readonly weights: number;
  /** Weights and optimiser moments of all members. */
  readonly population_bytes: number;
  /** The replay buffer, counted once; 0 without one. */
  readonly replay_bytes: number;
  /**
   * WebAssembly memory of a thread: one member with its gradients, the replay buffer, and the next three
   * fields.
   */
  readonly thread_bytes: number;
  /** Part of `thread_bytes` for a rollout; 0 for algorithms that learn from a replay buffer. */
  readonly rollout_bytes: number;
  /** Part of `thread_bytes` for the parallel environments. */
  readonly environment_bytes: number;
  /** Part of `thread_bytes` for temporaries of learning and acting. */
  readonly temporary_bytes: number;
  /** The largest single array. */
  readonly array_bytes: number;
  /** Sum of the population, the replay buffer and one thread. */
  readonly total_bytes: number;
  /**
   * Most learning steps of a member per transition that it collects, if learning steps are due by the
   * transitions of the whole population; else null.
   */
  readonly replay_ratio: number | null;
  /** Most episodes of the final evaluation, over all candidates; 0 without one. */
  readonly final_episodes: number;
  /** Most episodes that near ties add to the evaluations of a generation; 0 if they add none. */
  readonly tie_episodes: number;
  /** Lower bound of the time to draw the initial weights. */
  readonly setup_seconds: number;
  /** Lower bound of the longest part of training that cannot be paused or stopped. */
  readonly step_seconds: number;
  /** Members that selection draws for each generation. */
  readonly selection_draws: number;
  /** Longest episode in steps; 0 if unknown. */
  readonly episode_steps: number;
}

/** The environment of a run, if it is not a registered one. */
export interface LivePlace extends AgentSpaces {
  /** Null if unknown. */
  readonly max_episode_steps: number | null;
}

const WORD = 4;
/**
 * Copies of a row's activations during learning, including gradients and temporaries; measured on the
 * templates.
 */
const COPIES = 3;
/** Temporaries as large as the noise of the largest tensor, while it is drawn; measured with 256 to 1,400 copies. */
const NOISE_COPIES = 2;
/** Operations per second of JavaScript and of the fastest kernels, so that times are lower bounds. */
const DRAWS_PER_SECOND = 1e9;
export const OPERATIONS_PER_SECOND = 5e10;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function learnsFromMemory({ algorithm }: TrainingManifest): boolean {
  const { off_policy, offline, bandit } = algorithmDefinition(algorithm.name);
  return off_policy || offline || bandit;
}

/** Transitions in the replay buffer. For a data set that is not open, only the manifest's limit is known. */
function rowsOf(manifest: TrainingManifest): number {
  const { offline } = algorithmDefinition(manifest.algorithm.name);
  return offline && manifest.replay_buffer === null ? 0 : replaySize(manifest);
}

/**
 * Transitions by which a member's learning steps are due, per transition that it collects, when all members
 * train.
 */
function countedTransitions(manifest: TrainingManifest, learn_step: number): number {
  const { max_replay_ratio, pop_size } = manifest.training;
  return evolutionSections(manifest).learn_from === "population" && pop_size > 1
    ? Math.min(pop_size, max_replay_ratio * learn_step)
    : 1;
}

/** Most episodes of evaluation besides those of every generation; passes are whole. */
function addedEpisodes(manifest: TrainingManifest): Pick<RunEstimate, "final_episodes" | "tie_episodes"> {
  const { training, environment } = manifest;
  const { final_episodes, selection_strategy: selection } = evolutionSections(manifest);
  const whole = (episodes: number): number =>
    Math.ceil(episodes / environment.num_envs) * environment.num_envs;
  const strategy = selection && selectionDefinition(selection);
  const finalists = (selection && strategy?.finalists?.(selection)) ?? training.pop_size;
  return {
    // The fittest member ever seen may be none of the final ones.
    final_episodes: whole(final_episodes) * (finalists + 1),
    tie_episodes: strategy?.ranks ? whole(training.tie_episodes) * training.pop_size : 0,
  };
}

/** Rows of a learning step, and sizes of a rollout. */
function learningOf(
  manifest: TrainingManifest,
  { data, hyperparameters }: MemberSize,
  observation: number,
  action: number,
) {
  const { num_envs } = manifest.environment;
  const batch_size = Number(hyperparameters.batch_size);
  if (algorithmDefinition(manifest.algorithm.name).evolution_strategy) {
    const { directions = 1, episodes = 1 } = evolutionSizes({ hyperparameters }, num_envs);
    const rows = directions * (hyperparameters.antithetic === true ? 2 : 1) * episodes;
    return { rows, samples: 0, epochs: 0, rollout: 0, memory: 0 };
  }
  if (learnsFromMemory(manifest)) return { rows: batch_size, samples: 0, epochs: 0, rollout: 0, memory: 0 };
  const networks = Object.fromEntries(
    Object.entries(data).map(([name, own]) => [name, { data: own, tensors: {} }]),
  );
  const { batch, horizon, ...cut } = rolloutSizes({ hyperparameters, networks }, num_envs);
  const samples = horizon * num_envs;
  const memory = sum(Object.values(hiddenSizes({ networks })));
  return {
    rows: batch * (cut.sequence ?? 1),
    samples,
    epochs: Number(hyperparameters.update_epochs),
    rollout: samples * (2 * observation + action + 5 + memory),
    memory,
  };
}

/** Directions with noise on each weight, which an evolution strategy draws at once. */
function wholeDirections({ hyperparameters }: MemberSize, num_envs: number): number {
  const { perturbations, rank } = hyperparameters;
  if (perturbations === undefined || rank !== null) return 0;
  return evolutionSizes({ hyperparameters }, num_envs).directions ?? 1;
}

/** Numbers of noise of an evolution strategy: those of all directions, and the vectors and factors of its rows. */
function noiseNumbers(
  { hyperparameters, sizes, trained }: MemberSize,
  num_envs: number,
  rows: number,
): number {
  const { perturbations, rank } = hyperparameters;
  if (perturbations === undefined) return 0;
  const { directions = 1 } = evolutionSizes({ hyperparameters }, num_envs);
  const networks = Object.values(sizes);
  const vectors = sum(networks.map((own) => own.vectors));
  if (rank !== null)
    return (rows + directions) * (vectors + Number(rank) * sum(networks.map(({ sides }) => sides)));
  const largest = Math.max(...networks.map((own) => own.largest));
  return directions * (trained + NOISE_COPIES * largest) + rows * vectors;
}

/** Numbers of a member's running statistics: count, mean and variance of each column. */
function statisticsOf(manifest: TrainingManifest, place: AgentSpaces): number {
  const settings = manifestNormalization(manifest);
  const { observations, rewards } = statisticsSizes(place);
  return 3 * ((settings?.observations ? observations : 0) + (settings?.rewards ? rewards : 0));
}

/** @throws SpecError when the algorithm cannot act in the environment, or the networks do not fit it. */
export function estimateRun(manifest: TrainingManifest, live: LivePlace | null = null): RunEstimate {
  const place = live ?? environmentOf(manifest);
  const { environment, training, replay_buffer } = manifest;
  const { num_envs } = environment;
  const { pop_size } = training;
  const sources = { network: agentNetwork(manifest), ranges: manifest.mutation?.network ?? null };
  const member = memberSize(manifest.algorithm, place, sources);
  const { algorithm, sizes, hyperparameters, weights, trained } = member;
  const names = Object.keys(sizes);
  const off_policy = learnsFromMemory(manifest);

  const fields = replayFields(live ? hostLayout(live) : memoryLayout(environmentOf(manifest)));
  const observation = rowWords(observationField(place.observation_space));
  const action = rowWords(fields.action);
  const learning = learningOf(manifest, member, observation, action);

  const statistics = WORD * statisticsOf(manifest, place);
  const population_bytes = pop_size * (member.held_bytes + statistics);

  const transitions = off_policy ? rowsOf(manifest) : 0;
  const row = sum(Object.values(fields).map(rowWords));
  const prioritised = replay_buffer?.kind === "classic" && replay_buffer.per_buffer;
  const priorities = prioritised ? transitions : 0;
  const replay_bytes = WORD * transitions * row;
  const priority_bytes = WORD * priorities * pop_size;

  const activations = sum(names.map((name) => sizes[name]?.activations ?? 0));
  const ofPolicies = (kind: "activations" | "weights") =>
    sum(algorithm.policies.map((name) => sizes[name]?.[kind] ?? 0));
  const acting = num_envs * ofPolicies("activations");
  const input = numbersIn(place.observation_space.shape);
  const rows = learning.rows * (COPIES * activations + 2 * input + action);
  const rollout_bytes = WORD * learning.rollout;
  const largestWeights = Math.max(...names.map((name) => sizes[name]?.largest ?? 0));
  const directions = wholeDirections(member, num_envs);
  const noise = noiseNumbers(member, num_envs, learning.rows);
  const temporary_bytes = WORD * (rows + COPIES * acting + trained + noise);
  // Observations before and after a step, the state (with the stack of frames, if there is one), random draws and
  // episode counters.
  const copies = stackedFrames(manifest) > 1 ? 5 : 4;
  const environment_bytes =
    WORD * num_envs * (copies * flatSize(place.observation_space) + 20 + learning.memory);
  const thread_bytes =
    member.bytes +
    statistics +
    WORD * trained +
    replay_bytes +
    WORD * 2 * priorities +
    rollout_bytes +
    environment_bytes +
    temporary_bytes;

  const largest = Math.max(
    Math.max(1, directions) * largestWeights,
    transitions * observation,
    learning.samples * Math.max(observation, learning.memory),
    Math.max(learning.rows, num_envs) * Math.max(input, ofPolicies("activations")),
  );

  const size = tournamentSize(manifest);
  const limit = place.max_episode_steps ?? 0;
  const episode = Math.min(training.eval_steps ?? limit, limit);
  const passes = 2 * ofPolicies("weights");
  const learn_step = Number(hyperparameters.learn_step);
  const counted = countedTransitions(manifest, learn_step);
  const lessons = off_policy ? Math.max(1, (counted * num_envs) / learn_step) : learning.epochs;
  const learned = off_policy
    ? lessons * (learning.rows * 6 * trained + pop_size * (pop_size + learning.rows))
    : learning.samples * 6 * trained * lessons;
  const operations = Math.max(learned, episode * num_envs * passes);

  return {
    weights,
    population_bytes,
    replay_bytes,
    thread_bytes,
    rollout_bytes,
    environment_bytes,
    temporary_bytes,
    array_bytes: WORD * largest,
    total_bytes: population_bytes + replay_bytes + priority_bytes + thread_bytes,
    replay_ratio: evolutionSections(manifest).learn_from === "population" ? counted / learn_step : null,
    ...addedEpisodes(manifest),
    setup_seconds: (pop_size * sum(names.map((name) => drawn(member, name)))) / DRAWS_PER_SECOND,
    step_seconds: operations / OPERATIONS_PER_SECOND,
    selection_draws: pop_size * size,
    episode_steps: limit,
  };
}

/** Members that a manifest's selection draws for each new one; 0 without a tournament. */
export const tournamentSize = ({ selection_strategy }: TrainingManifest): number =>
  selection_strategy?.strategy === "tournament" ? selection_strategy.tournament_size : 0;

/** Operations to draw a network's weights; target networks are copies. */
const drawn = ({ algorithm, sizes }: MemberSize, name: string): number =>
  name in algorithm.targets ? 0 : (sizes[name]?.drawing ?? 0);

/** All numbers in a manifest's section, each with its path. */
export function numbersOf(
  value: unknown,
  path: readonly (string | number)[] = [],
): [(string | number)[], number][] {
  if (typeof value === "number") return [[[...path], value]];
  if (Array.isArray(value)) return value.flatMap((entry, i) => numbersOf(entry, [...path, i]));
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => numbersOf(entry, [...path, key]));
}
