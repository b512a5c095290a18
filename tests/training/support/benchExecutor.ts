import {
  type Executor,
  Gate,
  type MemberTurn,
  type RunSetup,
  type TurnOutcome,
} from "../../../src/training/executor.ts";
import { MemberBench } from "../../../src/training/inThreadExecutor.ts";

/** One thread, with a view of its device. */
export class BenchExecutor implements Executor {
  readonly label = "one thread";
  /** Bytes claimed from the engine after each generation. */
  readonly claimed: number[] = [];
  readonly #gate = new Gate();
  #bench: MemberBench | null = null;

  async open(setup: RunSetup): Promise<void> {
    this.#bench = new MemberBench(setup);
  }

  async generation(turns: readonly MemberTurn[]): Promise<readonly TurnOutcome[]> {
    const bench = this.#bench;
    if (!bench) throw new Error("the executor was not opened");
    const outcomes: TurnOutcome[] = [];
    for (const turn of turns) outcomes.push(await bench.turn(turn, this.#gate, () => undefined));
    this.claimed.push(bench.device.claimed);
    return outcomes;
  }

  pause(): void {
    this.#gate.pause();
  }

  resume(): void {
    this.#gate.resume();
  }

  abort(): void {
    this.#gate.abort();
  }

  async close(): Promise<void> {
    this.#bench?.close();
    this.#bench = null;
  }
}
