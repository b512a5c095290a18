/** What one member does in one generation, and what comes of it, whoever steps its environment. */

import { fanFor } from "../../kernels/functions/sumTree.ts";
import type { AgentState } from "../member/agentState.ts";
import { hiddenSizes } from "../member/hiddenState.ts";
import { findAlgorithm } from "../algorithms/registry.ts";
import { LEARNING } from "../programs/slicedOffPolicy.ts";
import type { Contents } from "./agentBuffers.ts";
import { type Priorities, prioritiesIn, priorityContents, type TurnPriorities } from "./priorities.ts";
import { appended, type DeviceReplay, type Segment, type Visible } from "./replayMemory.ts";
import type { ReplayRows } from "./replayRows.ts";
import type { Residence, Sizes } from "./wasm/Residence.ts";

/** What a draw is for: parts of the random key beside seed, slot and generation. */
export const PURPOSE = { turn: 1, evaluate: 2, record: 3, host: 4 } as const;

/** What one member does in one generation. */
export interface Turn {
  readonly slot: number;
  readonly generation: number;
  readonly seed: number;
  readonly num_envs: number;
  /** Environment steps to take (whole vector steps or roll-outs). */
  readonly evo_steps: number;
  /** Passes of evaluation; in each every environment runs one episode. */
  readonly eval_loop: number;
  /** Cuts evaluation episodes; null lets them run to their end. */
  readonly eval_steps: number | null;
  /** Only off-policy. */
  readonly off_policy: OffPolicyTurn | null;
}

export interface OffPolicyTurn {
  readonly epsilon: number;
  readonly eps_end: number;
  readonly eps_decay: number;
  readonly learning_delay: number;
  /** The member's own ring as it stands. */
  readonly ring: Segment;
  /** What it sees of every segment, its own entry unused. */
  readonly visible: readonly Visible[];
  /** Of a memory that samples by priority; null elsewhere. */
  readonly priorities: TurnPriorities | null;
}

export interface TurnResult {
  readonly slot: number;
  readonly agent: AgentState;
  /** Mean return of the evaluation. */
  readonly fitness: number;
  /** Mean return of the training episodes that ended; null when none did. */
  readonly score: number | null;
  readonly env_steps: number;
  readonly learn_steps: number;
  readonly metrics: Readonly<Record<string, number>>;
  /** Off-policy: epsilon after the turn, and the transitions it added. */
  readonly off_policy: {
    readonly epsilon: number;
    readonly ring: Segment;
    readonly written: { start: number; count: number; rows: ReplayRows };
    readonly priorities: Priorities | null;
  } | null;
}

/** Work done since the slice before. */
export interface Slice {
  readonly env_steps: number;
  readonly learn_steps: number;
}

/** Vector steps of a turn: at least one. */
export const vectorSteps = (evo_steps: number, num_envs: number): number =>
  Math.max(1, Math.floor(evo_steps / num_envs));

/** Time that a slice aims at, so that messages are answered and pauses felt at once. */
export const SLICE_MS = 25;

/** A member whose numbers stopped being numbers. */
export class DivergedError extends Error {
  readonly slot: number;

  /** @param message As it is said where the error was found, which may be another thread. */
  constructor(slot: number, message: string) {
    super(message);
    this.name = "DivergedError";
    this.slot = slot;
  }
}

const diverged = (slot: number, what: string): DivergedError =>
  new DivergedError(
    slot,
    `member ${slot}: ${what} is not a finite number any more; the learning rate is probably too high for this environment`,
  );

/** @throws DivergedError naming the network whose weights are not finite. */
export function requireFinite(agent: AgentState, slot: number): void {
  for (const [network, { tensors }] of Object.entries(agent.networks)) {
    if (network in findAlgorithm(agent.algorithm).targets) continue;
    for (const values of Object.values(tensors)) {
      if (!values.every((value) => Number.isFinite(value)))
        throw diverged(slot, `a weight of network ${network}`);
    }
  }
}

/** @throws DivergedError when the mean return is not finite. */
export function requireFitness(fitness: number, slot: number): number {
  if (!Number.isFinite(fitness)) throw diverged(slot, "the return of its evaluation");
  return fitness;
}

/** A member's history with one more evaluation: the last 100. */
export const withFitness = (history: readonly number[], fitness: number): readonly number[] =>
  [...history, fitness].slice(-100);

/** Sizes of an off-policy turn's programs. */
export const offPolicySizes = (
  { hyperparameters }: AgentState,
  num_envs: number,
  { visible }: OffPolicyTurn,
  segment: number,
): Sizes => ({
  num_envs,
  batch: Number(hyperparameters.batch_size),
  population: visible.length,
  capacity: visible.length * segment,
  priority_fan: fanFor(visible.length * segment),
});

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

/** Exploration, ring and view of the memory, as an off-policy member's programs read them. */
export function offPolicyContents(
  { slot, evo_steps, num_envs }: Pick<Turn, "slot" | "evo_steps" | "num_envs">,
  segment: number,
  off: OffPolicyTurn,
): Contents {
  const scalars = {
    "turn.total": vectorSteps(evo_steps, num_envs),
    epsilon: off.epsilon,
    eps_end: off.eps_end,
    eps_decay: off.eps_decay,
    learning_delay: off.learning_delay,
    "ring.slot": slot,
    "ring.segment": segment,
    "ring.position": off.ring.position,
    "ring.count": off.ring.count,
    // A turn that was cut short may have left something to learn.
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

/** What an off-policy turn leaves beside the agent: the transitions it added, its ring, its epsilon. */
export function writtenRows(
  residence: Residence,
  replay: DeviceReplay | null,
  slot: number,
  { ring, visible, priorities }: OffPolicyTurn,
  env_steps: number,
): NonNullable<TurnResult["off_policy"]> {
  if (!replay) throw new Error("an off-policy turn needs a replay memory");
  const { ring: after, start, count } = appended(ring, replay.segment, env_steps);
  const written = { start, count, rows: replay.read(slot, visible.length, start, count) };
  return {
    epsilon: residence.number("epsilon"),
    ring: after,
    written,
    priorities: priorities && prioritiesIn(priorities, (name) => residence.arena.read(name)),
  };
}
