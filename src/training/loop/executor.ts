/** Where members run: this thread, workers, a GPU. Training loops know nothing else of it. */
import type { KernelReport } from "../../kernels/kernelReport.ts";
import type { TrainingDevice } from "./runState.ts";
import type { Kinds, Slice } from "./Workload.ts";

export interface MemberTurn<K extends Kinds = Kinds> {
  readonly agent: K["agent"];
  readonly turn: K["turn"];
}

/** How a turn ended; a member that failed keeps the state it started with. */
export type TurnOutcome<K extends Kinds = Kinds> =
  | {
      readonly ok: true;
      readonly result: K["result"];
      /** Wall time of the turn; absent where members train together. */
      readonly milliseconds?: number;
    }
  | {
      readonly ok: false;
      readonly slot: number;
      readonly message: string;
      /** The member's own numbers are at fault: another try would end the same way. */
      readonly diverged?: boolean;
      /** What it waits for did not answer in its time. */
      readonly timed_out?: boolean;
      /** What was thrown, where the turn ran in the caller's thread. */
      readonly cause?: unknown;
    };

/** An outcome whose message says which member failed; that of one that diverged does by itself. */
export function namingMember<K extends Kinds>(outcome: TurnOutcome<K>): TurnOutcome<K> {
  if (outcome.ok || outcome.diverged) return outcome;
  return { ...outcome, message: `member ${outcome.slot} could not be trained: ${outcome.message}` };
}

export interface Executor<K extends Kinds = Kinds> {
  /** Shown to the user, e.g. "WASM SIMD, 2 workers". */
  readonly label: string;
  /** What trains; of an executor that chooses, as it stands. */
  readonly device: TrainingDevice;
  /** Of an executor that chooses: why that device. */
  readonly reason?: string;
  /** What it measured of the machine that belongs to the run's state. */
  readonly measured?: Partial<K["shared"]>;
  open(setup: K["setup"]): Promise<void>;
  /**
   * One generation: every member's turn, in any order, by anyone. `news` is what the generation before made, for benches
   * that have not seen it. Outcomes are in the order of the turns.
   * @throws StoppedError after abort().
   */
  generation(
    turns: readonly MemberTurn<K>[],
    news: readonly K["news"][],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<K>[]>;
  /** Holds work at the next slice. */
  pause(): void;
  resume(): void;
  /** Ends the generation under way without its results. */
  abort(): void;
  /** Changes the number of workers, of an executor that has them, from the next generation on. */
  setWorkers?(workers: number): void;
  /** Tells an executor that shares a GPU with a page whether somebody looks at the page. */
  setVisible?(visible: boolean): void;
  /** What another executor is opened with that goes on from the generation before; the run's own setup where left out. */
  handedOver?(setup: K["setup"]): K["setup"];
  /** The compiled programs as they are now; none while it is not open. */
  kernels(): Promise<readonly KernelReport[]>;
  close(): Promise<void>;
}
