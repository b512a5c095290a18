/** Number of steps in a member's turn on a GPU, in total and so far. */

import {
  type AgentState,
  algorithmOf,
  programSteps,
  type ReadBuffer,
  rolloutCount,
  rolloutSizes,
  stepsTaken,
  vectorSteps,
} from "../../agents/members.ts";
import type { Progress } from "../../kernels/webgpu.ts";
import { EVOLUTION } from "../../rl/programs.ts";
import type { MemberTurn } from "../rl/kinds.ts";

const isEvolution = (agent: AgentState): boolean => algorithmOf(agent).kind === "evolution";

/** Environment steps of one run of a member's program. */
const stepsInRun = ({ agent, turn }: MemberTurn): number =>
  turn.off_policy ? stepsTaken(turn) : rolloutSizes(agent, turn.num_envs).horizon * turn.num_envs;

/**
 * Runs of a member's program in its turn. Off-policy, one run is the whole turn; on-policy, a rollout and
 * its epochs.
 */
export const runsOf = ({ agent, turn }: MemberTurn): number =>
  turn.off_policy || isEvolution(agent) ? 1 : rolloutCount(agent, turn);

/**
 * Environment steps of a member's whole turn.
 * @param read Buffers after the turn, which know the length of an evolution strategy's episodes.
 */
export const turnSteps = (turn: MemberTurn, read?: ReadBuffer): number =>
  isEvolution(turn.agent) ? (read?.(EVOLUTION.steps)?.[0] ?? 0) : runsOf(turn) * stepsInRun(turn);

/** Environment steps that a member has taken: in whole rollouts on-policy, in vector steps off-policy. */
export function stepsIn(turn: MemberTurn, { left, position }: Progress): number {
  if (left === 0 || isEvolution(turn.agent)) return turnSteps(turn);
  const { off_policy } = turn.turn;
  if (off_policy) return off_policy.offline ? position : position * turn.turn.num_envs;
  return (runsOf(turn) - left) * stepsInRun(turn);
}

/** Minibatches in the epochs after a rollout, if the epochs do not end early. */
export const minibatchesOf = ({ agent, turn }: MemberTurn): number =>
  Number(agent.hyperparameters.update_epochs) * rolloutSizes(agent, turn.num_envs).minibatches;

/** Credit for learning that a vector step of an off-policy turn earns. */
export const creditEach = ({ off_policy, num_envs }: MemberTurn["turn"]): number =>
  off_policy?.earned ?? num_envs;

/**
 * Learning steps of an off-policy turn, assuming enough transitions from its start; if members only learn,
 * all its steps.
 */
export function learningSteps({ agent, turn }: MemberTurn): number {
  if (turn.off_policy?.offline) return programSteps(turn);
  const earned = agent.learn_credit + vectorSteps(turn.evo_steps, turn.num_envs) * creditEach(turn);
  return Math.floor(earned / Number(agent.hyperparameters.learn_step));
}

/** Whether a turn learns throughout: it does not wait for transitions, and its epochs cannot end early. */
export function learnsThroughout({ agent, turn }: MemberTurn): boolean {
  const { target_kl, batch_size } = agent.hyperparameters;
  if (!turn.off_policy) return target_kl === null || target_kl === undefined;
  if (turn.off_policy.offline) return true;
  const { visible, ring, learning_delay, earned } = turn.off_policy;
  // Until others' transitions count as well, later turns learn more.
  if (earned !== undefined && earned <= turn.num_envs) return false;
  const seen = visible.reduce((sum, { length }, i) => (i === turn.slot ? sum : sum + length), ring.count);
  return seen > learning_delay && seen >= Number(batch_size);
}

/** Upper bound of the delayed learning steps in `steps` learning steps. */
export function delayedSteps({ agent }: MemberTurn, steps: number): number {
  const algorithm = algorithmOf(agent);
  if (algorithm.kind !== "off_policy" || !algorithm.delayed) return 0;
  return Math.ceil(steps / Number(agent.hyperparameters[algorithm.delayed.every]));
}

/** Counts the learning steps that each vector step of an off-policy turn earns, as its programs do. */
export class EarnedSteps {
  readonly #turn: MemberTurn;
  readonly #segment: number;
  #credit: number;
  #stored = 0;

  /** @param segment Capacity of the member's segment of the replay buffer. */
  constructor(turn: MemberTurn, segment: number) {
    this.#turn = turn;
    this.#segment = segment;
    this.#credit = turn.agent.learn_credit;
  }

  /** Counts a vector step. @returns the most batches that it may need gradients of, delayed learning included. */
  next(): number {
    const { agent, turn } = this.#turn;
    const price = Number(agent.hyperparameters.learn_step);
    this.#credit += creditEach(turn);
    const steps = Math.floor(this.#credit / price);
    this.#credit -= steps * price;
    this.#stored += turn.num_envs;
    return this.#isReady() ? steps + delayedSteps(this.#turn, steps) : 0;
  }

  /** Whether the member may see enough transitions. */
  #isReady(): boolean {
    const { agent, turn } = this.#turn;
    if (!turn.off_policy) return false;
    const { ring, visible, learning_delay } = turn.off_policy;
    const own = Math.min(this.#segment, ring.count + this.#stored);
    const seen = visible.reduce((sum, { length }, i) => (i === turn.slot ? sum : sum + length), own);
    return seen >= Number(agent.hyperparameters.batch_size) && seen > learning_delay;
  }
}
