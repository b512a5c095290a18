/**
 * The interface between the training loop and the place where members run: this thread, workers, or a GPU.
 */

import { DivergedError, TimeoutError } from "../../evolution/members.ts";
import type { KernelReport } from "../../kernels/devices.ts";
import { reasonOf } from "../../storage/files.ts";
import { type Gate, StoppedError } from "./Gate.ts";
import type { Kinds, Slice, TrainingDevice, TurnRunner } from "./Workload.ts";

/** Counts the work of an attempt, so that it can be taken back before the same work runs again. */
export class Attempt {
  readonly #onSlice: (slice: Slice) => void;
  #env_steps = 0;
  #learn_steps = 0;

  constructor(onSlice: (slice: Slice) => void) {
    this.#onSlice = onSlice;
  }

  readonly onSlice = (slice: Slice): void => {
    this.#env_steps += slice.env_steps;
    this.#learn_steps += slice.learn_steps;
    this.#onSlice(slice);
  };

  /** @param slot The member whose work it was; absent for the work of all members. */
  takeBack(slot?: number): void {
    const taken = { env_steps: -this.#env_steps, learn_steps: -this.#learn_steps };
    this.#onSlice(slot === undefined ? taken : { ...taken, slot, score: null });
  }
}

/** Runs one turn on a turn runner, and passes the gate after each slice. @throws StoppedError after abort. */
export async function runTurn<K extends Kinds>(
  turnRunner: Pick<TurnRunner<K>, "turn">,
  { agent, turn }: MemberTurn<K>,
  gate: Gate,
  onSlice: (slice: Slice) => void,
): Promise<TurnOutcome<K>> {
  const { slot } = turn;
  const start = performance.now();
  let work: ReturnType<TurnRunner<K>["turn"]> | null = null;
  try {
    work = turnRunner.turn(agent, turn);
    for (;;) {
      const stepped = work.next();
      const next = stepped instanceof Promise ? await stepped : stepped;
      if (next.done) return { ok: true, result: next.value, milliseconds: performance.now() - start };
      const { awaiting, ...slice } = next.value;
      if (awaiting) {
        await awaiting;
        continue;
      }
      onSlice({ ...slice, slot });
      await gate.pass();
    }
  } catch (error) {
    // Closes the generator if the gate threw; an error of its own has already ended it.
    await work?.return(undefined as never);
    if (error instanceof StoppedError) throw error;
    return {
      ok: false,
      slot,
      message: reasonOf(error),
      diverged: error instanceof DivergedError,
      timed_out: error instanceof TimeoutError,
      cause: error,
    };
  }
}

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
      /** The compute worker, and the milliseconds from the generation's start to the turn; absent without workers. */
      readonly worker?: number;
      readonly started?: number;
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
  /**
   * @param gate Pauses and aborts the generations that follow, until the executor is opened again (default: one that nobody
   *   closes).
   */
  open(setup: K["setup"], gate?: Gate): Promise<void>;
  /**
   * Runs one generation: every member's turn, in any order and on any thread. `news` is that of the previous
   * generation, for turn runners that have not received it. Outcomes are in the order of the turns.
   * @throws StoppedError when the gate is aborted.
   */
  generation(
    turns: readonly MemberTurn<K>[],
    news: readonly K["news"][],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<K>[]>;
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

/**
 * The error of a run that cannot continue. Errors from other threads arrive as messages only, so they are
 * recreated.
 */
export function failureOf(failed: Extract<TurnOutcome, { ok: false }>): Error {
  const { slot, message, diverged, timed_out, cause } = failed;
  if (cause instanceof DivergedError) return cause;
  if (diverged) return new DivergedError(slot, message);
  const options = cause === undefined ? undefined : { cause };
  return timed_out ? new TimeoutError(message, options) : new Error(message, options);
}
