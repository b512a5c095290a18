/** What one member does in one generation, and what comes of it, whoever steps its environment. */
import type { AgentState } from "../member/agentState.ts";
import type { Priorities, TurnPriorities } from "./priorities.ts";
import type { ReplayRows } from "./replayRows.ts";
import type { Segment, Visible } from "./replaySegments.ts";

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
  /** Whether the fitness of several agents is their sum, true unless given, or their mean. */
  readonly sum_scores?: boolean;
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
  /** Of each of several agents, by id. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  /** Mean return of the training episodes that ended; null when none did. */
  readonly score: number | null;
  readonly env_steps: number;
  readonly learn_steps: number;
  readonly metrics: Readonly<Record<string, number>>;
  /** How often each choice was made, by name; absent where the algorithm reports none. */
  readonly histograms?: Readonly<Record<string, readonly number[]>>;
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
