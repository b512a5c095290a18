/** Runs members on WebAssembly one after another in the calling thread. */

import { isSandboxEnd } from "../../sandbox/sandboxes.ts";
import { type MemberTurn, type TurnOutcome } from "../loop/executor.ts";

import { Attempt, runTurn } from "../loop/runTurn.ts";
import type { Bench, Kinds, Slice } from "../loop/Workload.ts";
import { SerialExecutor } from "./SerialExecutor.ts";

export class InThreadExecutor<K extends Kinds> extends SerialExecutor<K> {
  readonly device = "wasm";
  readonly label = "WASM SIMD, this thread";
  readonly #open: (setup: K["setup"]) => Promise<Bench<K>>;

  /** @param open Creates the bench of a run. */
  constructor(open: (setup: K["setup"]) => Promise<Bench<K>>) {
    super();
    this.#open = open;
  }

  async open(setup: K["setup"]): Promise<void> {
    await this.close();
    this.bench = await this.#open(setup);
  }

  /** If the turn's sandbox ended, the turn runs once more in a fresh sandbox. */
  protected async turn(turn: MemberTurn<K>, onSlice: (slice: Slice) => void): Promise<TurnOutcome<K>> {
    if (!this.bench) throw new Error("executor: generation() before open()");
    const attempt = new Attempt(onSlice);
    const outcome = await runTurn(this.bench, turn, this.gate, attempt.onSlice);
    if (outcome.ok || !isSandboxEnd(outcome.cause)) return outcome;
    attempt.takeBack(turn.turn.slot);
    const again = await runTurn(this.bench, turn, this.gate, onSlice);
    if (again.ok) return again;
    return { ...again, message: `${again.message} (tried twice, in a fresh sandbox each time)` };
  }
}
