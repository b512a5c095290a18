/** What one member does in one generation, and what comes of it, whoever steps its environment. */
import type { AgentState } from "../member/agentState.ts";
import type { Priorities, TurnPriorities } from "./priorities.ts";
import type { ReplayRows } from "./replayRows.ts";
import type { Segment, Visible } from "./replaySegments.ts";

/** What a draw is for: parts of the random key beside seed, slot and generation. */
export const PURPOSE = { turn: 1, evaluate: 2, record: 3, host: 4 } as const;

/** Episodes one after another. */
export interface Episodes {
  /** Of several agents their sum, or mean, as fitness counts it. */
  readonly returns: readonly number[];
  /** Environment steps. */
  readonly lengths: readonly number[];
}

/** What one member does in one generation. */
export interface Turn {
  readonly slot: number;
  readonly generation: number;
  readonly seed: number;
  readonly num_envs: number;
  /** Steps to take: environment steps, in whole vector steps or roll-outs; learning steps where members only learn. */
  readonly evo_steps: number;
  /** Passes of evaluation; in each every environment runs one episode. */
  readonly eval_loop: number;
  /** Cuts evaluation episodes; null lets them run to their end. */
  readonly eval_steps: number | null;
  /** Whether the fitness of several agents is their sum, true unless given, or their mean. */
  readonly sum_scores?: boolean;
  /** Of bandits, whose steps are choices and have no episodes: fitness and score are mean rewards. */
  readonly mean_rewards?: true;
  /** Only off-policy. */
  readonly off_policy: OffPolicyTurn | null;
}

export interface OffPolicyTurn {
  /** Members only learn, from a memory that nobody writes; a step of the turn is a learning step. */
  readonly offline?: true;
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
  /** Of each of several agents, by id. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  /** Episodes of the evaluation. */
  readonly evaluation?: Episodes;
  /** Mean return of the training episodes that ended; null when none did. */
  readonly score: number | null;
  readonly env_steps: number;
  readonly learn_steps: number;
  readonly metrics: Readonly<Record<string, number>>;
  /** How often each choice was made, by name; absent where the algorithm reports none. */
  readonly histograms?: Readonly<Record<string, readonly number[]>>;
  /** Off-policy: epsilon after the turn, and the transitions it added; null where members only learn. */
  readonly off_policy: {
    readonly epsilon: number;
    readonly ring: Segment;
    /** Share of the member's part of the memory that holds transitions, 0 to 1. */
    readonly fill: number;
    readonly written: { start: number; count: number; rows: ReplayRows };
    readonly priorities: Priorities | null;
  } | null;
}

/** Work done since the slice before. */
export interface Slice {
  readonly env_steps: number;
  readonly learn_steps: number;
  /** Mean return of the training episodes that ended in this turn so far; null when none did. */
  readonly score?: number | null;
  /** What the driver must wait for before the next slice. It never rejects, and such a slice counts no work. */
  readonly awaiting?: Promise<unknown>;
}

/** Vector steps of a turn: at least one. */
export const vectorSteps = (evo_steps: number, num_envs: number): number =>
  Math.max(1, Math.floor(evo_steps / num_envs));

/** Steps that the programs of an off-policy turn count: vector steps, or learning steps where members only learn. */
export const programSteps = ({
  evo_steps,
  num_envs,
  off_policy,
}: Pick<Turn, "evo_steps" | "num_envs" | "off_policy">): number =>
  off_policy?.offline ? evo_steps : vectorSteps(evo_steps, num_envs);

/** Steps of the run that an off-policy turn takes: environment steps, or learning steps where members only learn. */
export const stepsTaken = (turn: Pick<Turn, "evo_steps" | "num_envs" | "off_policy">): number =>
  turn.off_policy?.offline ? programSteps(turn) : programSteps(turn) * turn.num_envs;

/** Time that a slice aims at, so that messages are answered and pauses felt at once. */
export const SLICE_MS = 25;

/** Steps of the next slice, from those of the last one and the time that they took; results do not depend on it. */
export function nextChunk(chunk: number, steps: number, ms: number): number {
  const wanted = Math.max(1, Math.round((steps * SLICE_MS) / Math.max(ms, 0.1)));
  return Math.min(wanted, 4 * chunk, 4096);
}
