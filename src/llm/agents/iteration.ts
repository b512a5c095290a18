/** What one outer iteration of a member is, and what comes of it. */
import type { LoggedCompletion } from "../environments/LoggedCompletion.ts";
import type { LlmMember } from "./LlmMember.ts";

/** One outer iteration of a member. */
export interface IterationPlace {
  /** Of the run. */
  readonly seed: number;
  readonly slot: number;
}

export interface IterationResult {
  readonly member: LlmMember;
  /** Mean return of the episodes; margin or negative loss of labelled rows. */
  readonly score: number;
  /** Turns played, or rows learned from. */
  readonly steps: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /** Whether all completions of each prompt earned the same, so that groups taught nothing; false without groups. */
  readonly level: boolean;
  /** Of rollouts, every trajectory's, made when asked for. */
  readonly completions: () => readonly LoggedCompletion[];
}

export interface Evaluation {
  /** Mean reward of the turns, DPO's margin, or the mean log-likelihood of the responses' tokens. */
  readonly fitness: number;
  /** Of the episodes; empty for labelled rows. */
  readonly returns: readonly number[];
  /** What the member writes for prompts that are held out; empty for rollouts, which are logged as they are played. */
  readonly completions: readonly LoggedCompletion[];
}

/** Trains and evaluates one member at a time; what stays from turn to turn holds nothing of a member. */
export interface MemberRunner {
  iteration(member: LlmMember, place: IterationPlace): Promise<IterationResult>;
  evaluate(member: LlmMember, place: IterationPlace): Promise<Evaluation>;
  close(): Promise<void>;
}
