/**
 * The interface between the training loop and a workload: members that take turns, and their shared state.
 */
import type { Evolvable, HyperparameterValue } from "../../evolution/index.ts";
import type { KernelReport } from "../../kernels/devices.ts";
import type { NetworkStructure } from "../../specs/networks.ts";
import type { EvaluationReport, LeagueReport, MemberReport, TrainingEvent } from "../../tracking/observer.ts";
import type { Plateau } from "./earlyStopping.ts";

/** The state of the loop itself. */
export interface LoopState<A extends Member = Member> {
  /** Generations finished. */
  readonly generation: number;
  readonly members: readonly A[];
  /** The best member of the last generation, in its evaluated state. */
  readonly elite: A | null;
  /** The fittest member of all generations so far, in its evaluated state; absent before the first. */
  readonly champion?: A | null;
  /** The recipe that `training.hpo` stands for, if the run was saved with an older one (default: this build's). */
  readonly recipe?: number;
  /** Slots of members that take no more turns (default: none). */
  readonly resting?: readonly number[];
  /** Slots of members that the coming selection leaves as they are (default: none). */
  readonly guarded?: readonly number[];
  /** The run's best fitness that counts, and the evaluations since then; absent without early stopping. */
  readonly plateau?: Plateau;
  /** Whether the selection and mutation after the members' last evaluation are still due. */
  readonly evolution_due: boolean;
  /** Whether the mutation before the first generation has been done. */
  readonly started: boolean;
  /**
   * Device that trained the last generation; `null` before the first, and for runs from older checkpoints.
   */
  readonly device: TrainingDevice | null;
}

/** Devices that this build trains on. */
export type TrainingDevice = "wasm" | "webgpu";

export type RunState<K extends Kinds = Kinds> = LoopState<K["agent"]> & K["shared"];

/** Total steps of the whole population. */
export const globalStep = ({ members }: Pick<LoopState, "members">): number =>
  members.reduce((sum, m) => sum + m.steps, 0);

/** A run before its first generation. */
export const firstState = <A extends Member>(members: readonly A[]): LoopState<A> => ({
  generation: 0,
  members,
  elite: null,
  evolution_due: false,
  started: false,
  device: null,
});

/** A member of a population as plain data, which is sent to workers, evolved and saved. */
export interface Member {
  /** Identity, unique in a run. */
  readonly index: number;
  /** Identity of the member that it was cloned from; `null` in the first generation. */
  readonly parent: number | null;
  readonly hyperparameters: Readonly<Record<string, HyperparameterValue>>;
  /** Fitness of the last 100 evaluations, oldest first. */
  readonly fitness: readonly number[];
  /** Steps taken, as counted by `max_steps`. */
  readonly steps: number;
  /** Label of the last mutation. */
  readonly mut: string;
}

/**
 * The part of a run that stays the same throughout, which executors are opened with. Plain data, except for
 * fields that `Standing.setup()` leaves out.
 */
export interface Setup {
  /** Name of the workload. */
  readonly workload: string;
  /** Population size; additional workers would be idle. */
  readonly members?: number;
  /** Device that trained a resumed run so far; executors that choose a device keep it if it is available. */
  readonly trainedOn?: "wasm" | "webgpu" | null;
}

/** What one member does in one generation: plain data. */
export interface TurnOf {
  readonly slot: number;
  readonly generation: number;
  /** Whether slices and the result have single training episodes (default: only their mean). */
  readonly tells_episodes?: true;
}

type Training = NonNullable<MemberReport["training"]>;

/** Result of a turn: plain data. */
export interface ResultOf<A extends Member = Member> {
  readonly slot: number;
  /** The member after its turn, evaluated. */
  readonly agent: A;
  /** Fitness in its evaluation. */
  readonly fitness: number;
  /** For a member with several agents: the fitness of each, by id. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  /** Mean return of the finished training episodes; `null` if none finished. */
  readonly score: number | null;
  /**
   * Training episodes in order: the member's steps in all at the end, and the return. Absent if the turn does not tell
   * them.
   */
  readonly training?: Training;
  readonly env_steps: number;
  readonly learn_steps: number;
  readonly metrics: Readonly<Record<string, number>>;
  /** Episodes of its evaluation; absent if they are not known individually. */
  readonly evaluation?: EvaluationReport;
  /** In a game: the returns of its evaluation by opponent. */
  readonly matches?: readonly { readonly opponent: string; readonly returns: readonly number[] }[];
  /** Counts of the choices 0 .. n-1, [n], by name; absent if none are counted. */
  readonly histograms?: Readonly<Record<string, readonly number[]>>;
}

/** Work done since the previous slice. */
export interface Slice {
  readonly env_steps: number;
  readonly learn_steps: number;
  /** Slot of the member that did the work; absent if members train together. */
  readonly slot?: number;
  /** Mean return of the member's training episodes finished in this turn so far; `null` if none finished. */
  readonly score?: number | null;
  /** The member's training episodes since the previous slice, as in {@link ResultOf.training}. */
  readonly episodes?: Training;
  /**
   * A promise that the turn waits for, such as a step of an environment in another thread. The driver of the
   * turn must await it before the next slice. It never rejects, and a slice that has it counts no work.
   */
  readonly awaiting?: Promise<unknown>;
}

/** The types of a workload. */
export interface Kinds {
  readonly agent: Member;
  /** State that members share, as fields of the run's state. */
  readonly shared: object;
  readonly setup: Setup;
  readonly turn: TurnOf;
  readonly result: ResultOf;
  /** Data from a generation that every turn runner must receive. */
  readonly news: unknown;
}

/** A member as seen by selection and mutation. */
export interface Evolved<A extends Member> extends Evolvable<Evolved<A>> {
  readonly state: A;
}

/** A workload's part of a run: what its members are and do. */
export interface Workload<K extends Kinds = Kinds> {
  /** The setup that executors are opened with. */
  setup(state: RunState<K>): K["setup"];
  evolved(agent: K["agent"]): Evolved<K["agent"]>;
  /** A member's turn in the coming generation. */
  turn(agent: K["agent"], slot: number, state: RunState<K>, generation: number): K["turn"];
  /**
   * A turn without training: an evaluation over at least `episodes` episodes. Absent if members cannot be
   * evaluated alone.
   * @param again Set for more episodes of an evaluation that the coming generation's turn has made.
   */
  evaluation?(
    agent: K["agent"],
    slot: number,
    state: RunState<K>,
    episodes: number,
    again?: "again",
  ): K["turn"];
  /**
   * The results of an evaluation with the fitness that ranks their members, if that depends on all of them (default: the
   * results as they are).
   */
  judged?(state: RunState<K>, results: readonly (K["result"] | null)[]): readonly (K["result"] | null)[];
  /** What a generation's report says of a league, after `gather`; null without one. */
  league?(state: RunState<K>, results: readonly (K["result"] | null)[]): LeagueReport | null;
  /**
   * The shared state after a generation; a result is `null` if its member failed. May change the shared state
   * in place.
   */
  gather(
    state: RunState<K>,
    results: readonly (K["result"] | null)[],
  ): { readonly shared: K["shared"]; readonly news: readonly K["news"][] };
  /** Steps that a member takes in a generation with its current hyperparameters; absent if unknown. */
  generationSteps?(agent: Pick<K["agent"], "steps" | "hyperparameters">): number;
  /** A member's networks, layer by layer; absent if they never change. */
  structure?(agent: K["agent"]): readonly NetworkStructure[];
  /** Short description of a member's model, for reports. */
  describe(agent: K["agent"]): string;
  /** Events of a generation, emitted before its report. @throws Error to end the run. */
  events?(results: readonly (K["result"] | null)[], generation: number): readonly TrainingEvent[];
  /** Events emitted when training fails. */
  lastWords?(): readonly TrainingEvent[];
  /** Metrics that a member reports; trackers add others when they first appear. */
  metrics?(agent: K["agent"]): readonly string[];
}

/** Runs the turns of members in one thread. */
export interface TurnRunner<K extends Kinds = Kinds> {
  /** Receives the news of the previous generation. */
  hear(news: readonly K["news"][]): void;
  /**
   * Runs one turn, yielding after each slice of work. If it fails or is abandoned, the shared state does not
   * change. The generator is asynchronous if the work waits for an environment or a device.
   */
  turn(
    agent: K["agent"],
    turn: K["turn"],
  ): Generator<Slice, K["result"]> | AsyncGenerator<Slice, K["result"]>;
  /** The currently compiled programs. */
  kernels(): readonly KernelReport[];
  close(): void;
}

/** Provides the setup and the news for a turn runner that joins a run in progress. */
export interface Standing<K extends Kinds = Kinds> {
  hear(news: readonly K["news"][]): void;
  setup(): K["setup"];
  /**
   * News for the turn runner after it is opened, in parts, because a message between threads is copied as a whole.
   */
  news(): Iterable<K["news"]> | AsyncIterable<K["news"]>;
}
