/** Length of rollouts, their number per turn, and how they are cut into sequences and minibatches. */
import { type AgentState, hiddenSizes } from "../member/agentState.ts";
import type { Sizes } from "./sizes.ts";
import type { Turn } from "./turn.ts";

/**
 * Minimum steps of a rollout: advantages are scaled by their unbiased standard deviation, which needs two
 * values.
 */
export const LEAST_ROLLOUT = 2;

/** Environment steps wanted per rollout: `learn_step`, but at least two with a single environment. */
const rolloutGoal = ({ hyperparameters }: Pick<AgentState, "hyperparameters">, num_envs: number): number =>
  Math.max(Number(hyperparameters.learn_step), num_envs === 1 ? LEAST_ROLLOUT : 1);

/** Sizes of a rollout of `horizon` vector steps (default: from `learn_step`) and of its minibatches. */
export function rolloutSizes(
  agent: Pick<AgentState, "hyperparameters" | "networks">,
  num_envs: number,
  horizon = Math.ceil(rolloutGoal(agent, num_envs) / num_envs),
) {
  const isRecurrent = Object.keys(hiddenSizes(agent)).length > 0;
  const cut = isRecurrent ? sequenceSizes(agent, horizon) : null;
  const pieces = (cut ? cut.sequences : horizon) * num_envs;
  const batch = Math.min(Number(agent.hyperparameters.batch_size), pieces);
  return { num_envs, batch, horizon, minibatches: Math.ceil(pieces / batch), ...cut } satisfies Sizes;
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
