import { DivergedError, TimeoutError } from "../../evolution/members.ts";
import { reasonOf } from "../../storage/files.ts";
import type { MemberTurn, TurnOutcome } from "./executor.ts";
import { type Gate, StoppedError } from "./Gate.ts";
import type { Bench, Kinds, Slice } from "./Workload.ts";

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

/** Runs one turn on a bench, and passes the gate after each slice. @throws StoppedError after abort. */
export async function runTurn<K extends Kinds>(
  bench: Bench<K>,
  { agent, turn }: MemberTurn<K>,
  gate: Gate,
  onSlice: (slice: Slice) => void,
): Promise<TurnOutcome<K>> {
  const { slot } = turn;
  const start = performance.now();
  let work: ReturnType<Bench<K>["turn"]> | null = null;
  try {
    work = bench.turn(agent, turn);
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
