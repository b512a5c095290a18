/** The base of executors that run members one after another in the calling thread. */
import type { KernelReport } from "../../kernels/devices.ts";
import { type Executor, type MemberTurn, namingMember, type TurnOutcome } from "../loop/executor.ts";
import { GatedExecutor } from "../loop/Gate.ts";
import type { TrainingDevice } from "../loop/runState.ts";
import type { Bench, Kinds, Slice } from "../loop/Workload.ts";

export abstract class SerialExecutor<K extends Kinds> extends GatedExecutor implements Executor<K> {
  abstract readonly device: TrainingDevice;
  abstract readonly label: string;
  /** Null while the executor is not open. */
  protected bench: Bench<K> | null = null;

  abstract open(setup: K["setup"]): Promise<void>;

  /** Runs a turn, and runs it again if that may help. */
  protected abstract turn(turn: MemberTurn<K>, onSlice: (slice: Slice) => void): Promise<TurnOutcome<K>>;

  async generation(
    turns: readonly MemberTurn<K>[],
    _news: readonly K["news"][],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<K>[]> {
    this.gate.reset();
    const outcomes: TurnOutcome<K>[] = [];
    for (const turn of turns) outcomes.push(namingMember(await this.turn(turn, onSlice)));
    return outcomes;
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return this.bench?.kernels() ?? [];
  }

  async close(): Promise<void> {
    this.bench?.close();
    this.bench = null;
  }
}
