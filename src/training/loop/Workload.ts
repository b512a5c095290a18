/** What a run trains, as the loop sees it: members that take turns, and what they share. */
import type { Evolvable, HyperparameterValue } from "../../evolution/index.ts";
import type { KernelReport } from "../../kernels/kernelReport.ts";
import type { NetworkStructure } from "../../specs/networks/NetworkStructure.ts";
import type { EvaluationReport, TrainingEvent } from "./observer.ts";
import type { RunState } from "./runState.ts";

/** A member of a population as plain data: what travels to workers, evolves, and is saved. */
export interface Member {
  /** Identity, unique in a run. */
  readonly index: number;
  /** Identity of the member it was cloned from; null in the first generation. */
  readonly parent: number | null;
  readonly hyperparameters: Readonly<Record<string, HyperparameterValue>>;
  /** Evaluations so far, oldest first, the last 100. */
  readonly fitness: readonly number[];
  /** Steps taken: what `max_steps` counts. */
  readonly steps: number;
  /** Label of the last mutation. */
  readonly mut: string;
}

/** What stays the same for a whole run, as executors are opened with it: plain data, but for what a `Standing` leaves out. */
export interface Setup {
  /** Name of the workload. */
  readonly workload: string;
  /** Members in the population; more workers than that would idle. */
  readonly members?: number;
  /** What trained a run that goes on; executors that choose stay with it where it is there. */
  readonly trainedOn?: "wasm" | "webgpu" | null;
}

/** What one member does in one generation: plain data. */
export interface TurnOf {
  readonly slot: number;
  readonly generation: number;
}

/** What comes of a turn: plain data. */
export interface ResultOf<A extends Member = Member> {
  readonly slot: number;
  /** The member after it, evaluated. */
  readonly agent: A;
  /** Of its evaluation. */
  readonly fitness: number;
  /** The same of each of several agents that live in a member, by id; absent elsewhere. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  /** Mean return of the training episodes that ended; null when none did. */
  readonly score: number | null;
  readonly env_steps: number;
  readonly learn_steps: number;
  readonly metrics: Readonly<Record<string, number>>;
  /** Episodes of its evaluation; absent where they are not known one by one. */
  readonly evaluation?: EvaluationReport;
  /** How often each of the choices 0 .. n-1 was made, [n], by name; absent where nothing is counted. */
  readonly histograms?: Readonly<Record<string, readonly number[]>>;
}

/** Work done since the slice before. */
export interface Slice {
  readonly env_steps: number;
  readonly learn_steps: number;
  /** Of the member whose work it is; absent where members train together. */
  readonly slot?: number;
  /** Mean return of the member's training episodes that ended in this turn so far; null when none did. */
  readonly score?: number | null;
  /**
   * What the turn waits for, such as an environment that is stepped in another thread. Whoever drives the turn waits for
   * it too, before the next slice. It never rejects, and such a slice counts no work.
   */
  readonly awaiting?: Promise<unknown>;
}

/** The types of a workload. */
export interface Kinds {
  readonly agent: Member;
  /** What members share, as fields of the run's state. */
  readonly shared: object;
  readonly setup: Setup;
  readonly turn: TurnOf;
  readonly result: ResultOf;
  /** What a generation made that all benches must hear of. */
  readonly news: unknown;
}

/** A member in the eyes of selection and mutation. */
export interface Evolved<A extends Member> extends Evolvable<Evolved<A>> {
  readonly state: A;
}

/** A run's own part: what its members are and do. */
export interface Workload<K extends Kinds = Kinds> {
  /** What executors are opened with. */
  setup(state: RunState<K>): K["setup"];
  evolved(agent: K["agent"]): Evolved<K["agent"]>;
  /** What a member does in the coming generation. */
  turn(agent: K["agent"], slot: number, state: RunState<K>, generation: number): K["turn"];
  /** What members share after a generation; a result is null where a member failed. May change what is shared in place. */
  gather(
    state: RunState<K>,
    results: readonly (K["result"] | null)[],
  ): { readonly shared: K["shared"]; readonly news: readonly K["news"][] };
  /** Steps that a member takes in a generation, as its hyperparameters are now; absent where nobody knows. */
  generationSteps?(agent: Pick<K["agent"], "steps" | "hyperparameters">): number;
  /** A member's networks, layer by layer; absent where they never change. */
  structure?(agent: K["agent"]): readonly NetworkStructure[];
  /** Short description of a member's model, for reports. */
  describe(agent: K["agent"]): string;
  /** What observers hear of a generation before its report. @throws Error to end the run. */
  events?(results: readonly (K["result"] | null)[], generation: number): readonly TrainingEvent[];
  /** What observers hear when training fails. */
  lastWords?(): readonly TrainingEvent[];
  /** Metrics that a member's generations report; trackers learn of others when they come. */
  metrics?(agent: K["agent"]): readonly string[];
}

/** Runs members' turns in one thread. */
export interface Bench<K extends Kinds = Kinds> {
  /** Takes in what the generation before made. */
  hear(news: readonly K["news"][]): void;
  /**
   * One turn, yielding after each slice of work. One that fails or is left leaves what members share as it was. It is
   * asynchronous where work waits for others: for an environment, or a device.
   */
  turn(
    agent: K["agent"],
    turn: K["turn"],
  ): Generator<Slice, K["result"]> | AsyncGenerator<Slice, K["result"]>;
  /** The compiled programs as they are now. */
  kernels(): readonly KernelReport[];
  close(): void;
}

/** What a bench that joins a run under way is opened with. */
export interface Standing<K extends Kinds = Kinds> {
  hear(news: readonly K["news"][]): void;
  setup(): K["setup"];
  /** What it is told after that, part by part: a message between threads is copied whole. */
  news(): Iterable<K["news"]> | AsyncIterable<K["news"]>;
}
