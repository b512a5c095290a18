/**
 * A member's priorities on the host, kept between turns, and what an off-policy turn gives its programs.
 */
import { power } from "../../evolution/members.ts";
import { fanFor } from "../../kernels/functions.ts";
import { LEARN_EARNED, LEARNING, PRIORITY_SCALARS, PRIORITY_TREE } from "../../rl/programs.ts";
import type { AgentState } from "../member/agentState.ts";
import type { Contents, ReadBuffer } from "./agentBuffers.ts";
import { ringPieces, type Segment, type Visible } from "./replaySegments.ts";
import type { Sizes } from "./sizes.ts";
import { type OffPolicyTurn, programSteps, type Turn } from "./turn.ts";

/** A member's priorities for the rows of the replay buffer. */
export interface Priorities {
  /** priority^alpha by row; 0 for rows whose current transition the member has not seen. */
  readonly leaves: Float32Array;
  /** Largest priority so far. */
  readonly largest: number;
}

/** Priorities of a turn, with the values that sampling uses. */
export interface TurnPriorities extends Priorities {
  /** Exponent of the priorities. */
  readonly alpha: number;
  /** Fraction of the run completed at the turn's start, and fraction per vector step. */
  readonly progress: number;
  readonly progress_step: number;
}

/** Priorities of a member that has seen no transitions. */
export const noPriorities = (rows: number): Priorities => ({ leaves: new Float32Array(rows), largest: 1 });

interface Rows {
  readonly slot: number;
  readonly start: number;
  readonly count: number;
}

function eachRow({ slot, start, count }: Rows, segment: number, body: (from: number, to: number) => void) {
  for (const [, at, n] of ringPieces(segment, start, count))
    body(slot * segment + at, slot * segment + at + n);
}

/** A copy with priority 0 for rows whose transitions were replaced. */
export function forgetRows(priorities: Priorities, rows: readonly Rows[], segment: number): Priorities {
  const leaves = priorities.leaves.slice();
  for (const part of rows) eachRow(part, segment, (from, to) => void leaves.fill(0, from, to));
  return { ...priorities, leaves };
}

/**
 * The priorities of the rows that a member sees in a turn: 0 for rows out of sight, the largest so far for
 * rows new to it.
 */
export function visiblePriorities(
  { leaves, largest }: Priorities,
  alpha: number,
  view: { readonly slot: number; readonly ring: Segment; readonly visible: readonly Visible[] },
  segment: number,
): Priorities {
  const seen = new Float32Array(leaves.length);
  const welcome = power(largest, alpha);
  view.visible.forEach(({ start, length }, slot) => {
    const { position, count } = view.ring;
    const rows =
      slot === view.slot
        ? { slot, start: (position - count + segment) % segment, count }
        : { slot, start, count: length };
    eachRow(rows, segment, (from, to) => {
      for (let row = from; row < to; row++) seen[row] = leaves[row] || welcome;
    });
  });
  return { leaves: seen, largest };
}

/** The tree's leaves and the scalars, as a member's programs read them. */
function priorityContents(priorities: TurnPriorities): Contents {
  const fan = fanFor(priorities.leaves.length);
  const leaf3 = new Float32Array(fan * fan * fan);
  leaf3.set(priorities.leaves);
  return new Map<string, ArrayLike<number>>([
    [`${PRIORITY_TREE}.leaf3`, leaf3],
    [PRIORITY_SCALARS.largest, [priorities.largest]],
    [PRIORITY_SCALARS.alpha, [priorities.alpha]],
    [PRIORITY_SCALARS.progress, [priorities.progress]],
    [PRIORITY_SCALARS.progress_step, [priorities.progress_step]],
  ]);
}

/** The priorities after a turn. */
export function prioritiesIn(before: Priorities, read: ReadBuffer): Priorities {
  const leaves = read(`${PRIORITY_TREE}.leaf3`);
  const largest = read(PRIORITY_SCALARS.largest)?.[0];
  if (!leaves || largest === undefined) return before;
  return { leaves: Float32Array.from(leaves).slice(0, before.leaves.length), largest };
}

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
