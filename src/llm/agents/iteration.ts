/** One outer iteration of a member, and its result. */
import type { LoggedCompletion } from "../environments/completionLog.ts";
import type { RewardFault } from "../environments/rewards.ts";
import type { LlmMember } from "./LlmMember.ts";

/** Identifies one outer iteration of a member. */
export interface IterationPlace {
  /** Seed of the run. */
  readonly seed: number;
  readonly slot: number;
  /** The part of the run's steps before the iteration, for schedules (default: 0). */
  readonly progress?: number;
}

export interface IterationResult {
  readonly member: LlmMember;
  /** Mean return of the episodes with rewards, or for labelled rows the margin or the negative loss. */
  readonly score: number;
  /** Returns of the episodes with rewards; absent for labelled rows. */
  readonly returns?: readonly number[];
  /** Turns played, or rows learned from. */
  readonly steps: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /** What environments gave in place of rewards; absent for labelled rows. */
  readonly reward_faults?: readonly RewardFault[];
  /**
   * Whether, in every group, all completions earned the same, or all perturbed copies returned the same, so that nothing
   * could be learned; `false` without groups or copies.
   */
  readonly level: boolean;
  /** Every trajectory of a rollout, computed on request. */
  readonly completions: () => readonly LoggedCompletion[];
}

export interface Evaluation {
  /**
   * Mean reward per turn, or the measure of labelled rows; NaN if no episode has a reward.
   */
  readonly fitness: number;
  /** As in training. */
  readonly reward_faults?: readonly RewardFault[];
  /** Returns of the episodes with rewards, or rewards of greedy answers; empty for other measures of labelled rows. */
  readonly returns: readonly number[];
  /**
   * The member's completions of held-out prompts; empty for rollouts, which are logged as they are played.
   */
  readonly completions: readonly LoggedCompletion[];
}

/** Episodes of an evaluation in place of the usual ones, which are the first `eval_loop`. */
export interface EpisodeRange {
  readonly first: number;
  readonly count: number;
}

/** Trains and evaluates one member at a time. No member's state is kept between calls. */
export interface MemberRunner {
  iteration(member: LlmMember, place: IterationPlace): Promise<IterationResult>;
  /** @param episodes Episodes to play; of labelled rows, at least this many, and the usual ones (default: those). */
  evaluate(member: LlmMember, place: IterationPlace, episodes?: EpisodeRange): Promise<Evaluation>;
  /** A member's answers to held-out prompts, for display. Rollouts have none, as they are logged as they are played. */
  shownBy?(member: LlmMember): Promise<readonly LoggedCompletion[]>;
  close(): Promise<void>;
}
