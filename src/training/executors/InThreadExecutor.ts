/** Runs members one after another in the calling thread, and yields to the event loop between slices. */
import type { KernelReport } from "../../kernels/devices.ts";
import { isSandboxEnd } from "../../sandbox/sandboxes.ts";
import { type Executor, type MemberTurn, namingMember, type TurnOutcome } from "../loop/executor.ts";
import { GatedExecutor } from "../loop/Gate.ts";
import { runTurn } from "../loop/runTurn.ts";
import type { Bench, Kinds, Slice } from "../loop/Workload.ts";

export class InThreadExecutor<K extends Kinds> extends GatedExecutor implements Executor<K> {
  readonly device = "wasm";
  readonly label = "WASM SIMD, this thread";
  readonly #open: (setup: K["setup"]) => Promise<Bench<K>>;
  #bench: Bench<K> | null = null;

  /** @param open Creates the bench of a run. */
  constructor(open: (setup: K["setup"]) => Promise<Bench<K>>) {
    super();
    this.#open = open;
  }

  async open(setup: K["setup"]): Promise<void> {
    this.#bench?.close();
    this.#bench = await this.#open(setup);
  }

  async generation(
    turns: readonly MemberTurn<K>[],
    _news: readonly K["news"][],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<K>[]> {
    const bench = this.#bench;
    if (!bench) throw new Error("executor: generation() before open()");
    this.gate.reset();
    const outcomes: TurnOutcome<K>[] = [];
    for (const turn of turns) outcomes.push(namingMember(await this.#turn(bench, turn, onSlice)));
    return outcomes;
  }

  /** Runs a turn. If its sandbox ended, the turn runs once more in a fresh sandbox. */
  async #turn(
    bench: Bench<K>,
    turn: MemberTurn<K>,
    onSlice: (slice: Slice) => void,
  ): Promise<TurnOutcome<K>> {
    let [env_steps, learn_steps] = [0, 0];
    const outcome = await runTurn(bench, turn, this.gate, (slice) => {
      env_steps += slice.env_steps;
      learn_steps += slice.learn_steps;
      onSlice(slice);
    });
    if (outcome.ok || !isSandboxEnd(outcome.cause)) return outcome;
    onSlice({ env_steps: -env_steps, learn_steps: -learn_steps, slot: turn.turn.slot, score: null });
    const again = await runTurn(bench, turn, this.gate, onSlice);
    if (again.ok) return again;
    return { ...again, message: `${again.message} (tried twice, in a fresh sandbox each time)` };
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return this.#bench?.kernels() ?? [];
  }

  async close(): Promise<void> {
    this.#bench?.close();
    this.#bench = null;
  }
}
