/** From a manifest to the parts of a run. */
import {
  HyperparameterConfig,
  Mutations,
  type SelectionStrategy,
  TournamentSelection,
} from "../../evolution/index.ts";
import type { AgentState, NetworkState } from "../../rl/agents/agentState.ts";
import { createAgent } from "../../rl/agents/createAgent.ts";
import { type CompiledEnvironment, findEnvironment } from "../../rl/environments/index.ts";
import type { ReplayRows } from "../../rl/runtime/replayMemory.ts";
import { elementSize, type Space } from "../../rl/spaces/index.ts";
import {
  type AlgoSpec,
  algorithmDefinition,
  algorithmFields,
  defaultHpRanges,
  MutationSpec,
  manifestWarnings,
  SpecError,
  TournamentSelectionSpec,
  type TrainingManifest,
} from "../../specs/index.ts";
import type { ReplayState, RunState } from "./runState.ts";
import type { RunPlan } from "./trainingRun.ts";

/** Values of the training function when the manifest leaves them open (interface 4.5). */
const EPSILON = { start: 1, end: 0.01, decay: 0.999 } as const;
const REPLAY_SIZE = 100_000;
const DEFAULT_SEED = 42;

/** The seed of a run: the option, else the mutation section's, else 42. */
export const seedOf = (manifest: TrainingManifest, seed?: number): number =>
  seed ?? manifest.mutation?.rand_seed ?? DEFAULT_SEED;

/** Spaces of the environment that a run trains in. */
export interface Spaces {
  readonly observation_space: Space;
  readonly action_space: Space;
}

/** @throws SpecError at `environment.name` for a name that this build lacks. */
export function environmentOf(manifest: TrainingManifest): CompiledEnvironment {
  try {
    return findEnvironment(manifest.environment.name);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new SpecError(
      [{ code: "value", path: "environment.name", segments: ["environment", "name"], message }],
      "manifest",
    );
  }
}

/** Rhythm, limits and exploration of a run. */
export function planOf(manifest: TrainingManifest, seed: number): RunPlan {
  const { training, environment, algorithm } = manifest;
  const { off_policy, evo_steps } = algorithmDefinition(algorithm.name);
  return {
    environment: environment.name,
    num_envs: environment.num_envs,
    seed,
    max_steps: training.max_steps,
    evo_steps: training.evo_steps ?? Math.min(evo_steps, training.max_steps),
    eval_loop: training.eval_loop,
    eval_steps: training.eval_steps,
    target: training.target_score,
    off_policy: off_policy
      ? {
          learning_delay: training.learning_delay,
          eps_end: training.eps_end ?? EPSILON.end,
          eps_decay: training.eps_decay ?? EPSILON.decay,
        }
      : null,
  };
}

export interface Evolution {
  readonly selection: SelectionStrategy | null;
  readonly mutation: Mutations | null;
  readonly hp_config: HyperparameterConfig;
}

/** Selection, mutation and hyperparameter ranges; `hpo` fills in the defaults of what is absent. */
export function evolutionOf(manifest: TrainingManifest, seed: number): Evolution {
  const { algorithm, training } = manifest;
  const mutation = manifest.mutation ?? (training.hpo ? MutationSpec.parse({}) : null);
  const selection = manifest.selection_strategy ?? (training.hpo ? TournamentSelectionSpec.parse({}) : null);
  if (selection?.strategy === "multi_frequency") {
    throw new SpecError(
      [
        {
          code: "unsupported",
          path: "selection_strategy.strategy",
          segments: ["selection_strategy", "strategy"],
          message:
            'found "multi_frequency", which the format knows and this build does not run yet; allowed: "tournament"',
        },
      ],
      "manifest",
    );
  }
  return {
    selection: selection
      ? TournamentSelection.fromSpec(selection, { population_size: training.pop_size, rand_seed: seed })
      : null,
    mutation: mutation ? Mutations.fromSpec(mutation, { rand_seed: seed }) : null,
    hp_config: hpConfigOf(algorithm, mutation?.rl_hp_selection),
  };
}

/** Ranges of a mutation section, or the algorithm's own where it gives none. */
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
): AgentState[] {
  const { algorithm, network, mutation, training } = manifest;
  return Array.from({ length: training.pop_size }, (_, index) =>
    createAgent({
      spec: algorithm,
      observation_space: spaces.observation_space,
      action_space: spaces.action_space,
      network: network ?? algorithm.net_config,
      ranges: mutation?.network ?? null,
      seed,
      index,
      ...(given ? { given } : {}),
    }),
  );
}

/** An empty memory of `max_size` transitions, cut into a segment for each member. */
export function emptyReplay(
  { observation_space, action_space }: Spaces,
  population: number,
  max_size: number,
): ReplayState {
  const segment = Math.floor(max_size / population);
  const rows = (): ReplayRows => ({
    obs: new Float32Array(segment * elementSize(observation_space)),
    next_obs: new Float32Array(segment * elementSize(observation_space)),
    action:
      action_space.kind === "Box"
        ? new Float32Array(segment * elementSize(action_space))
        : new Int32Array(segment * elementSize(action_space)),
    reward: new Float32Array(segment),
    done: new Float32Array(segment),
  });
  const each = <T>(make: () => T): T[] => Array.from({ length: population }, make);
  return { segment, rings: each(() => ({ position: 0, count: 0 })), segments: each(rows) };
}

/** Transitions the memory holds in all. */
export function replaySize({ replay_buffer }: TrainingManifest): number {
  return replay_buffer && replay_buffer.kind === "classic" ? replay_buffer.max_size : REPLAY_SIZE;
}

/** The state before the first generation.
 * @throws SpecError when a member's share of the replay memory cannot hold one vector step. */
export function initialState(
  manifest: TrainingManifest,
  members: readonly AgentState[],
  spaces: Spaces,
): RunState {
  const { off_policy } = algorithmDefinition(manifest.algorithm.name);
  const { num_envs } = manifest.environment;
  const replay = off_policy ? emptyReplay(spaces, members.length, replaySize(manifest)) : null;
  if (replay && replay.segment < num_envs) {
    throw new SpecError(
      [
        {
          code: "rule",
          path: "replay_buffer.max_size",
          segments: ["replay_buffer", "max_size"],
          message: `found ${replaySize(manifest)}, which gives each of ${members.length} members ${replay.segment} transitions; allowed: at least ${num_envs * members.length} (num_envs x pop_size)`,
        },
      ],
      "manifest",
    );
  }
  return {
    generation: 0,
    members,
    elite: null,
    epsilon: manifest.training.eps_start ?? EPSILON.start,
    replay,
    evolution_due: false,
    started: false,
  };
}

/** Things about a run that its owner should know before it starts. */
export function runWarnings(manifest: TrainingManifest, episode: number | null): string[] {
  const { training, environment } = manifest;
  const warnings = manifestWarnings(manifest).map(({ path, message }) => `${path} ${message}`);
  const perLane = (training.evo_steps ?? 0) / environment.num_envs;
  if (episode !== null && perLane < episode) {
    warnings.push(
      `training.evo_steps ${training.evo_steps} over ${environment.num_envs} environments is ${Math.floor(perLane)} steps each, less than an episode of up to ${episode}: environments reset at each generation's start, so long episodes are cut short in training`,
    );
  }
  return warnings;
}
