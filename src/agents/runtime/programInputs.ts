/**
 * What an agent's programs are given: the values of their symbols, and what a turn writes into their buffers.
 */
import { fanFor } from "../../kernels/functions.ts";
import type { Binding } from "../../kernels/index.ts";
import { bindNetwork } from "../../rl/networks.ts";
import { EVOLUTION, IMITATION, LEARN_EARNED, LEARNING, networkDims, PROGRESS } from "../../rl/programs.ts";
import { type AgentState, hiddenSizes } from "../member/agentState.ts";
import { algorithmOf } from "../member/registry.ts";
import { type Contents, priorityContents } from "./agentBuffers.ts";
import { type OffPolicyTurn, programSteps, type Turn } from "./turn.ts";

/** Sizes that the agent's own state does not determine. */
export interface Sizes {
  readonly num_envs: number;
  readonly batch: number;
  readonly population?: number;
  /** Transitions of a replay buffer, or vector steps whose positions self-play keeps. */
  readonly capacity?: number;
  readonly priority_fan?: number;
  readonly horizon?: number;
  readonly minibatches?: number;
  readonly sequence?: number;
  readonly sequences?: number;
  readonly stride?: number;
  /** Parts of a minibatch whose gradients are computed side by side. */
  readonly slices?: number;
  /** Cells for single episodes, if the turn tells them. */
  readonly episode_cells?: number;
  /** Directions of noise of an evolution strategy, and episodes of each perturbed copy. */
  readonly directions?: number;
  readonly episodes?: number;
}

const DEFAULT_SIZES = {
  population: 1,
  capacity: 1,
  priority_fan: 1,
  horizon: 1,
  minibatches: 1,
  sequence: 1,
  sequences: 1,
  stride: 1,
  slices: 1,
  episode_cells: 1,
  directions: 1,
  episodes: 1,
};

/** Binds all symbols of an agent's programs. */
export function bindAgent(agent: AgentState, sizes: Sizes): Binding {
  const algorithm = algorithmOf(agent);
  const widths = Object.entries(agent.networks)
    .filter(([name]) => !(name in algorithm.targets))
    .map(([name, { data }]) =>
      bindNetwork(data, data.encoder === "shared" ? networkDims(algorithm, name) : name),
    );
  return Object.assign({ ...DEFAULT_SIZES, ...sizes }, ...widths);
}

/** Sizes of an evolution strategy's turn, whose lanes are the episodes of perturbed copies. */
export function evolutionSizes(
  { hyperparameters }: Pick<AgentState, "hyperparameters">,
  num_envs: number,
): Sizes {
  const { perturbations, antithetic, episodes } = hyperparameters;
  const directions = Number(perturbations) / (antithetic === true ? 2 : 1);
  return { num_envs, batch: 1, directions, episodes: Number(episodes) };
}

/** What an evolution strategy's turn starts with. @param iterations Most iterations of a run of its program. */
export const evolutionContents = ({ evo_steps }: Pick<Turn, "evo_steps">, iterations: number): Contents =>
  new Map([
    [EVOLUTION.iterations, [iterations]],
    [EVOLUTION.wanted, [evo_steps]],
    [EVOLUTION.steps, [0]],
    ["episode.total", [0]],
    ["episode.finished", [0]],
  ]);

/**
 * Minimum steps of a rollout: advantages are scaled by their unbiased standard deviation, which needs two
 * values.
 */
export const LEAST_ROLLOUT = 2;

/** Environment steps wanted per rollout: `learn_step`, but at least two with a single environment. */
const rolloutGoal = ({ hyperparameters }: Pick<AgentState, "hyperparameters">, num_envs: number): number =>
  Math.max(Number(hyperparameters.learn_step), num_envs === 1 ? LEAST_ROLLOUT : 1);

/** Sizes of a rollout of `horizon` vector steps (default: from `learn_step`) and of its minibatches. @internal */
export function rolloutSizes(
  agent: Pick<AgentState, "hyperparameters" | "networks">,
  num_envs: number,
  horizon = Math.ceil(rolloutGoal(agent, num_envs) / num_envs),
) {
  const isRecurrent = Object.keys(hiddenSizes(agent)).length > 0;
  const cut = isRecurrent ? sequenceSizes(agent, horizon) : null;
  const pieces = (cut ? cut.sequences : horizon) * num_envs;
  const batch = Math.min(Number(agent.hyperparameters.batch_size), pieces);
  const replayed = Math.ceil(Number(agent.hyperparameters.replay_size ?? 0) / num_envs);
  const capacity = Math.max(horizon, replayed);
  const sizes = { num_envs, batch, horizon, minibatches: Math.ceil(pieces / batch), capacity };
  return { ...sizes, ...cut } satisfies Sizes;
}

/**
 * How a lane's rollout is cut into sequences of `max_seq_len` steps (default: the whole rollout). Sequences
 * follow one another (chunked), overlap by half (fifty_percent_overlap), or start at every step (maximum).
 * The last one is shorter if the rollout ends in it.
 */
function sequenceSizes({ hyperparameters }: Pick<AgentState, "hyperparameters">, horizon: number) {
  const { max_seq_len, bptt_sequence_type } = hyperparameters;
  const sequence = Math.min(Number(max_seq_len ?? horizon), horizon);
  const strides: Readonly<Record<string, number>> = {
    chunked: sequence,
    fifty_percent_overlap: Math.max(1, Math.floor(sequence / 2)),
    maximum: 1,
  };
  const stride = strides[String(bptt_sequence_type)] ?? sequence;
  return { sequence, stride, sequences: Math.ceil((horizon - sequence) / stride) + 1 };
}

/** Rollouts of a turn: at least one. */
export const rolloutCount = (
  agent: AgentState,
  { evo_steps, num_envs }: Pick<Turn, "evo_steps" | "num_envs">,
): number => Math.max(1, Math.ceil(evo_steps / rolloutGoal(agent, num_envs)));

/**
 * Sizes of an off-policy turn's programs.
 * @param demonstrations Rows of demonstrations (default: none).
 */
export const offPolicySizes = (
  { hyperparameters }: AgentState,
  num_envs: number,
  { visible }: OffPolicyTurn,
  segment: number,
  demonstrations = 0,
): Sizes => ({
  num_envs,
  batch: Number(hyperparameters.batch_size),
  population: visible.length,
  capacity: visible.length * segment + demonstrations,
  priority_fan: fanFor(visible.length * segment),
});

/**
 * Buffer contents for an off-policy member's programs: exploration, its ring, and its view of the replay
 * buffer.
 */
export function offPolicyContents(
  { slot, evo_steps, num_envs }: Pick<Turn, "slot" | "evo_steps" | "num_envs">,
  segment: number,
  off: OffPolicyTurn,
): Contents {
  const scalars = {
    "turn.total": programSteps({ evo_steps, num_envs, off_policy: off }),
    epsilon: off.epsilon,
    eps_end: off.eps_end,
    eps_decay: off.eps_decay,
    learning_delay: off.learning_delay,
    ...(off.earned === undefined ? {} : { [LEARN_EARNED]: off.earned }),
    "ring.slot": slot,
    "ring.segment": segment,
    "ring.position": off.ring.position,
    "ring.count": off.ring.count,
    // An interrupted turn may have left learning steps due.
    [LEARNING.active]: 0,
    [LEARNING.due]: 0,
  };
  return new Map<string, ArrayLike<number>>([
    ...Object.entries(scalars).map(([name, value]): [string, number[]] => [name, [value]]),
    ["visible.start", off.visible.map((v) => v.start)],
    ["visible.length", off.visible.map((v) => v.length)],
    ...(off.priorities ? priorityContents(off.priorities) : []),
  ]);
}

/** The member's place in its run, for hyperparameters that have a schedule; nothing outside a run. */
export const progressContents = ({ schedule }: Pick<Turn, "schedule">): Contents =>
  new Map(
    schedule
      ? [
          [PROGRESS.start, [schedule.progress]],
          [PROGRESS.step, [schedule.progress_step]],
        ]
      : [],
  );

/** The weight of imitation in a turn, for members that imitate demonstrations. @internal */
export const imitationContents = ({ imitation }: Pick<Turn, "imitation">): Contents =>
  new Map(
    imitation
      ? [
          [IMITATION.weight, [imitation.weight]],
          [IMITATION.step, [imitation.weight_step]],
        ]
      : [],
  );
