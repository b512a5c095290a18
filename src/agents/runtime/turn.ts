/** A member's turn and its result, for both compiled and host environments. */
import type { Priorities, TurnPriorities } from "../buffers/priorities.ts";
import type { ReplayRows, Segment, Visible } from "../buffers/replayRows.ts";
import type { AgentState } from "../member/agentState.ts";
import type { FittedQSettings } from "./fittedQAgent.ts";
import type { LaneState } from "./laneState.ts";
import type { Match, Opponents } from "./opponents.ts";

/** Purpose of a random draw: a part of the random key, after seed, slot and generation. @internal */
export const PURPOSE = { turn: 1, evaluate: 2, record: 3, host: 4, opponent: 5, fitted: 6 } as const;

/** A list of episodes. */
export interface Episodes {
  /** Return of each episode; for several agents the sum or the mean, as in fitness. */
  readonly returns: readonly number[];
  /** Environment steps. */
  readonly lengths: readonly number[];
  /** Standard error of the fitness (default: that of the mean return). */
  readonly error?: number;
}

/** A member's work in one generation. */
export interface Turn {
  readonly slot: number;
  readonly generation: number;
  readonly seed: number;
  readonly num_envs: number;
  /**
   * Steps to take: environment steps, rounded to whole vector steps or rollouts; learning steps if members
   * only learn.
   */
  readonly evo_steps: number;
  /** Evaluation passes; in each, every environment runs one episode. */
  readonly eval_loop: number;
  /** Number of the first pass, for more passes of an evaluation that was made before (default: 0). */
  readonly first_pass?: number;
  /** Limit of steps per evaluation episode; `null` means no limit. */
  readonly eval_steps: number | null;
  /** Whether the fitness of several agents is their sum or their mean (default: true, the sum). */
  readonly sum_scores?: boolean;
  /** For bandits, which have no episodes: fitness and score are mean rewards per choice. */
  readonly mean_rewards?: true;
  /** The member is evaluated only, without training. */
  readonly evaluates?: true;
  /** Whether slices and the result have single training episodes (default: only their mean). */
  readonly tells_episodes?: true;
  /**
   * Members that trained together where this turn was first taken (default: those that train now). A GPU's sums depend on
   * their number bit for bit.
   */
  readonly together?: number;
  /** The member's place in the run; absent if none of its hyperparameters has a schedule. */
  readonly schedule?: RunProgress;
  /**
   * The slot's lanes as its last turn left them; `null` to begin them. Absent if all episodes begin and end with the turn
   * (default).
   */
  readonly lanes?: LaneState | null;
  /** Who plays the other seat; absent unless the environment is a game. */
  readonly opponents?: Opponents;
  /** Fitness is a value that is fitted to data (default: the mean return of the evaluation). */
  readonly fqe?: FittedQSettings;
  /** Imitation of the demonstrations that the replay buffer holds, for on-policy members (default: none). @internal */
  readonly imitation?: Imitation;
  /** Off-policy settings; `null` for on-policy members. */
  readonly off_policy: OffPolicyTurn | null;
}

/** The weight of the loss of imitation: at the start of a turn, and what each vector step takes from it down to 0. @internal */
export interface Imitation {
  readonly weight: number;
  readonly weight_step: number;
}

/**
 * A finished training episode: the environment steps that the member had taken in all at its end, and its return, as in
 * `score`. For bandits: steps, and the mean reward of a part of the turn.
 */
export type EndedEpisode = readonly [step: number, ret: number];

/** How far the run is, as a part of its steps (0 to 1, or more after its end). */
export interface RunProgress {
  /** The part that was done before the turn. */
  readonly progress: number;
  /** What a vector step adds to it; a learning step, if members only learn. */
  readonly progress_step: number;
}

export interface OffPolicyTurn {
  /** Members only learn, from a replay buffer that is only read; a step of the turn is a learning step. */
  readonly offline?: true;
  readonly epsilon: number;
  readonly eps_end: number;
  readonly eps_decay: number;
  readonly learning_delay: number;
  /**
   * Credit for learning that a vector step earns, if the population's transitions count: a learning step costs
   * `learn_step` of it. Absent if a vector step earns one for each of its own transitions.
   */
  readonly earned?: number;
  /** The member's own ring at the start of the turn. */
  readonly ring: Segment;
  /** The part that it sees of every segment; its own entry is unused. */
  readonly visible: readonly Visible[];
  /** Priorities of a prioritised replay buffer, else `null`. */
  readonly priorities: TurnPriorities | null;
}

export interface TurnResult {
  readonly slot: number;
  readonly agent: AgentState;
  /** Mean return in the evaluation. */
  readonly fitness: number;
  /** For several agents: the fitness of each, by id. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  /** Episodes of the evaluation. */
  readonly evaluation?: Episodes;
  /** In a game: the episodes of the evaluation by opponent. */
  readonly matches?: readonly Match[];
  /** Mean return of the finished training episodes; `null` if none finished. */
  readonly score: number | null;
  /** Training episodes in order, as far as they were kept; absent if the turn does not tell them. */
  readonly training?: readonly EndedEpisode[];
  readonly env_steps: number;
  readonly learn_steps: number;
  readonly metrics: Readonly<Record<string, number>>;
  /** Counts of each choice, by name; absent if the algorithm reports none. */
  readonly histograms?: Readonly<Record<string, readonly number[]>>;
  /** The lanes, for the slot's next turn; absent if the episodes ended with this one. */
  readonly lanes?: LaneState;
  /** Off-policy: epsilon after the turn and the transitions that it added; `null` if members only learn. */
  readonly off_policy: {
    readonly epsilon: number;
    readonly ring: Segment;
    /** Fraction of the member's segment that holds transitions, 0 to 1. */
    readonly fill: number;
    readonly written: { start: number; count: number; rows: ReplayRows };
    readonly priorities: Priorities | null;
  } | null;
}

/** Work done since the previous slice. */
export interface Slice {
  readonly env_steps: number;
  readonly learn_steps: number;
  /** Mean return of the training episodes finished in this turn so far; `null` if none finished. */
  readonly score?: number | null;
  /** Training episodes that ended since the previous slice, as far as they were kept. */
  readonly episodes?: readonly EndedEpisode[];
  /**
   * The driver must await this before the next slice. It never rejects, and a slice that has it counts no
   * work.
   */
  readonly awaiting?: Promise<unknown>;
}

/** Runs work in slices to its end, without waiting for anything. @returns its result. */
export function drain<T>(work: Generator<Slice, T>): T {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/**
 * Returns a value at once, or a promise's result once the driver of the slices has awaited it.
 * @throws The reason that the promise rejects with.
 */
export function* settled<T>(given: T | Promise<T>): Generator<Slice, T> {
  if (!(given instanceof Promise)) return given;
  let outcome: { readonly value: T } | { readonly error: unknown } | null = null;
  const awaiting = given.then(
    (value) => {
      outcome = { value };
    },
    (error: unknown) => {
      outcome = { error };
    },
  );
  yield { env_steps: 0, learn_steps: 0, awaiting };
  return valueOf(outcome);
}

/** A separate function, because in `settled` the compiler would still narrow `outcome` to null. */
function valueOf<T>(outcome: { readonly value: T } | { readonly error: unknown } | null): T {
  if (outcome === null) throw new Error("settled: the driver went on without waiting for slice.awaiting");
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

/** Vector steps of a turn: at least one. */
export const vectorSteps = (evo_steps: number, num_envs: number): number =>
  Math.max(1, Math.floor(evo_steps / num_envs));

/**
 * Steps that the programs of an off-policy turn count: vector steps, or learning steps if members only learn.
 */
export const programSteps = ({
  evo_steps,
  num_envs,
  off_policy,
}: Pick<Turn, "evo_steps" | "num_envs" | "off_policy">): number =>
  off_policy?.offline ? evo_steps : vectorSteps(evo_steps, num_envs);

/**
 * Steps of the run that an off-policy turn takes: environment steps, or learning steps if members only learn.
 */
export const stepsTaken = (turn: Pick<Turn, "evo_steps" | "num_envs" | "off_policy">): number =>
  turn.off_policy?.offline ? programSteps(turn) : programSteps(turn) * turn.num_envs;

/** Target duration of a slice, short enough that messages and pauses are handled promptly. */
export const SLICE_MS = 25;

/** Steps of the next slice, from the steps and the duration of the last one. Does not affect results. */
export function nextChunk(chunk: number, steps: number, ms: number): number {
  const wanted = Math.max(1, Math.round((steps * SLICE_MS) / Math.max(ms, 0.1)));
  return Math.min(wanted, 4 * chunk, 4096);
}
