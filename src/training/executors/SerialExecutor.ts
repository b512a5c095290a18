import type { KernelReport } from "../../kernels/devices.ts";
import { isSandboxEnd } from "../../sandbox/sandboxes.ts";
import {
  Attempt,
  type Executor,
  type MemberTurn,
  namingMember,
  runTurn,
  type TurnOutcome,
} from "../loop/executor.ts";
import { Gate } from "../loop/Gate.ts";
import type { Kinds, Slice, TrainingDevice, TurnRunner } from "../loop/Workload.ts";

/** The base of executors that run members one after another in the calling thread. */
export abstract class SerialExecutor<K extends Kinds> implements Executor<K> {
  abstract readonly device: TrainingDevice;
  abstract readonly label: string;
  /** Null while the executor is not open. */
  protected turnRunner: TurnRunner<K> | null = null;
  protected gate = new Gate();

  abstract open(setup: K["setup"], gate?: Gate): Promise<void>;

  /** Runs a turn, and runs it again if that may help. */
  protected abstract turn(turn: MemberTurn<K>, onSlice: (slice: Slice) => void): Promise<TurnOutcome<K>>;

  async generation(
    turns: readonly MemberTurn<K>[],
    _news: readonly K["news"][],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<K>[]> {
    const outcomes: TurnOutcome<K>[] = [];
    for (const turn of turns) outcomes.push(namingMember(await this.turn(turn, onSlice)));
    return outcomes;
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return this.turnRunner?.kernels() ?? [];
  }

  async close(): Promise<void> {
    this.turnRunner?.close();
    this.turnRunner = null;
  }
}

/** Runs members on WebAssembly one after another in the calling thread. */
export class InThreadExecutor<K extends Kinds> extends SerialExecutor<K> {
  readonly device = "wasm";
  readonly label = "WASM SIMD, this thread";
  readonly #open: (setup: K["setup"]) => Promise<TurnRunner<K>>;

  /** @param open Creates the turn runner of a run. */
  constructor(open: (setup: K["setup"]) => Promise<TurnRunner<K>>) {
    super();
    this.#open = open;
  }

  async open(setup: K["setup"], gate = new Gate()): Promise<void> {
    await this.close();
    this.gate = gate;
    this.turnRunner = await this.#open(setup);
  }

  /** If the turn's sandbox ended, the turn runs once more in a fresh sandbox. */
  protected async turn(turn: MemberTurn<K>, onSlice: (slice: Slice) => void): Promise<TurnOutcome<K>> {
    if (!this.turnRunner) throw new Error("executor: generation() before open()");
    const attempt = new Attempt(onSlice);
    const outcome = await runTurn(this.turnRunner, turn, this.gate, attempt.onSlice);
    if (outcome.ok || !isSandboxEnd(outcome.cause)) return outcome;
    attempt.takeBack(turn.turn.slot);
    const again = await runTurn(this.turnRunner, turn, this.gate, onSlice);
    if (again.ok) return again;
    return { ...again, message: `${again.message} (tried twice, in a fresh sandbox each time)` };
  }
}
