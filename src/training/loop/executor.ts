/**
 * The interface between the training loop and the place where members run: this thread, workers, or a GPU.
 */
import type { KernelReport } from "../../kernels/devices.ts";
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
      /** Wall time of the turn; absent if members train together. */
      readonly milliseconds?: number;
    }
  | {
      readonly ok: false;
      readonly slot: number;
      readonly message: string;
      /** Whether the member diverged, so that a retry would end in the same way. */
      readonly diverged?: boolean;
      /** Whether something that the turn waited for exceeded its time limit. */
      readonly timed_out?: boolean;
      /** The error thrown, if the turn ran in the caller's thread. */
      readonly cause?: unknown;
    };

/** Adds the member to the message of a failed outcome; the message of a diverged member already has it. */
export function namingMember<K extends Kinds>(outcome: TurnOutcome<K>): TurnOutcome<K> {
  if (outcome.ok || outcome.diverged) return outcome;
  return { ...outcome, message: `member ${outcome.slot} could not be trained: ${outcome.message}` };
}

/**
 * The turns with their positions, longest first: a long turn that starts last would leave other places idle at
 * the end.
 */
export function longestFirst<K extends Kinds>(
  turns: readonly MemberTurn<K>[],
  { expectedWork }: { readonly expectedWork?: (agent: K["agent"]) => number },
): (readonly [position: number, turn: MemberTurn<K>])[] {
  const work = turns.map(({ agent }) => expectedWork?.(agent) ?? 0);
  return [...turns.entries()].sort(([a], [b]) => (work[b] ?? 0) - (work[a] ?? 0));
}

export interface Executor<K extends Kinds = Kinds> {
  /** Shown to the user, e.g. "WASM SIMD, 2 workers". */
  readonly label: string;
  /** The device that trains; of an executor that chooses, the current one. */
  readonly device: TrainingDevice;
  /** Reason for the device, if the executor chooses it. */
  readonly reason?: string;
  /** Measurements of the machine that belong to the run's state. */
  readonly measured?: Partial<K["shared"]>;
  open(setup: K["setup"]): Promise<void>;
  /**
   * Runs one generation: every member's turn, in any order and on any thread. `news` is that of the previous
   * generation, for benches that have not received it. Outcomes are in the order of the turns.
   * @throws StoppedError after abort().
   */
  generation(
    turns: readonly MemberTurn<K>[],
    news: readonly K["news"][],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<K>[]>;
  /** Pauses work at the next slice. */
  pause(): void;
  resume(): void;
  /** Ends the current generation without its results. */
  abort(): void;
  /** Changes the number of workers from the next generation on; only of executors that have workers. */
  setWorkers?(workers: number): void;
  /** Tells an executor that shares a GPU with a page whether the page is visible. */
  setVisible?(visible: boolean): void;
  /**
   * The setup for another executor that continues from the last generation boundary; absent if the run's own
   * setup is enough.
   */
  handedOver?(setup: K["setup"]): K["setup"];
  /** The currently compiled programs; none while the executor is not open. */
  kernels(): Promise<readonly KernelReport[]>;
  close(): Promise<void>;
}
