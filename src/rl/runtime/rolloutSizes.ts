/** How long roll-outs are, how many a turn has, and how they are cut. */
import type { AgentState } from "../member/agentState.ts";
import { hiddenSizes } from "../member/hiddenState.ts";
import type { Sizes } from "./sizes.ts";
import type { Turn } from "./turn.ts";

/** Fewest steps of a roll-out: advantages are scaled by their unbiased deviation, which one of them does not have. */
export const LEAST_ROLLOUT = 2;

/** Environment steps that a roll-out is to have: `learn_step`, and two where a single environment would give one. */
const rolloutGoal = ({ hyperparameters }: Pick<AgentState, "hyperparameters">, num_envs: number): number =>
  Math.max(Number(hyperparameters.learn_step), num_envs === 1 ? LEAST_ROLLOUT : 1);

/** Sizes of a roll-out of `horizon` vector steps (as learn_step says unless given) and its minibatches. */
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
 * How a lane's roll-out is cut into sequences of `max_seq_len` steps, the whole roll-out unless it is set: one after
 * another (chunked), each half over the one before (fifty_percent_overlap), or one from every step (maximum). The last
 * one is shorter where the roll-out ends in it.
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

/** Roll-outs of a turn: at least one. */
export const rolloutCount = (
  agent: AgentState,
  { evo_steps, num_envs }: Pick<Turn, "evo_steps" | "num_envs">,
): number => Math.max(1, Math.ceil(evo_steps / rolloutGoal(agent, num_envs)));
