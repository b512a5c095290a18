/** One outer iteration of a member, and its result. */
import type { LoggedCompletion } from "../environments/completionLog.ts";
import type { LlmMember } from "./LlmMember.ts";

/** Identifies one outer iteration of a member. */
export interface IterationPlace {
  /** Seed of the run. */
  readonly seed: number;
  readonly slot: number;
}

export interface IterationResult {
  readonly member: LlmMember;
  /** Mean return of the episodes, or for labelled rows the margin or the negative loss. */
  readonly score: number;
  /** Returns of the episodes; absent for labelled rows. */
  readonly returns?: readonly number[];
  /** Turns played, or rows learned from. */
  readonly steps: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /**
   * Whether, in every group, all completions earned the same, so that nothing could be
   * learned; `false` without groups.
   */
  readonly level: boolean;
  /** Every trajectory of a rollout, computed on request. */
  readonly completions: () => readonly LoggedCompletion[];
}

export interface Evaluation {
  /** Mean reward per turn, DPO's margin, or the mean log-likelihood of the tokens in the responses. */
  readonly fitness: number;
  /** Returns of the episodes; empty for labelled rows. */
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
  close(): Promise<void>;
}
