/**
 * Device "auto": the GPU if it trains the run's own population faster than WebAssembly does, otherwise
 * WebAssembly. If the GPU fails permanently, the run continues on WebAssembly. A resumed run stays on the
 * device that trained it, if available, because no other device gives the same bits.
 */
import type { KernelReport } from "../../kernels/devices.ts";
import { isSoftwareAdapter } from "../../kernels/webgpu.ts";
import { reasonOf } from "../../storage/files.ts";
import { Attempt, type Executor, type MemberTurn, type TurnOutcome } from "../loop/executor.ts";
import { Gate, StoppedError } from "../loop/Gate.ts";
import type { Kinds, Slice, TrainingDevice } from "../loop/Workload.ts";

/** Input of a comparison: the members of a run's first generation. */
interface Contest<K extends Kinds> {
  readonly adapter: GPUAdapter;
  readonly setup: K["setup"];
  readonly turns: readonly MemberTurn<K>[];
  readonly wasm: Executor<K>;
  /**
   * Runs the measurement of an executor behind a gate that a pause does not hold, because the pause would count as its time.
   * @throws StoppedError after an abort of the run.
   */
  readonly measure: <T>(work: (gate: Gate) => Promise<T>) => Promise<T>;
}

interface Winner<K extends Kinds> {
  /** The GPU executor, not opened yet; `null` if WebAssembly is faster. */
  readonly gpu: Executor<K> | null;
  /** The reason, as the end of a sentence. */
  readonly reason: string;
}

export interface GpuContender<K extends Kinds> {
  /** Creates the GPU executor, not opened yet. @throws Error with the reason that it cannot train. */
  executorOn(adapter: GPUAdapter): Promise<Executor<K>>;
  /**
   * Measures both executors on the members for a short time.
   * @throws Error with the reason that the GPU cannot train them.
   */
  compare(contest: Contest<K>): Promise<Winner<K>>;
}

export interface AutoExecutorOptions<K extends Kinds> {
  /** @throws Error with the reason that there is no adapter. */
  readonly findAdapter: () => Promise<GPUAdapter>;
  /** The executor that trains on WebAssembly. */
  readonly wasm: Executor<K>;
  readonly contender: GpuContender<K>;
  /** Called when the run changes its device. */
  readonly onNotice: (message: string) => void;
}

export class AutoExecutor<K extends Kinds> implements Executor<K> {
  readonly #options: AutoExecutorOptions<K>;
  #setup: K["setup"] | null = null;
  #gate = new Gate();
  /** Adapter of a GPU that may still be chosen. */
  #adapter: GPUAdapter | null = null;
  #gpu: Executor<K> | null = null;
  #reason = "The device is chosen when training starts.";
  #visible = false;

  constructor(options: AutoExecutorOptions<K>) {
    this.#options = options;
  }

  get device(): TrainingDevice {
    return this.#current.device;
  }

  get label(): string {
    return this.#current.label;
  }

  get measured(): Partial<K["shared"]> {
    return this.#current.measured ?? {};
  }

  get reason(): string {
    return [this.#reason, this.#current.reason].filter((text) => text !== undefined).join(" ");
  }

  get #current(): Executor<K> {
    return this.#gpu ?? this.#options.wasm;
  }

  async open(setup: K["setup"], gate = new Gate()): Promise<void> {
    await this.close();
    this.#setup = setup;
    this.#gate = gate;
    const { trainedOn } = setup;
    if (trainedOn === "wasm") return this.#takeWasm("it trained this run before", setup);
    const { findAdapter, contender } = this.#options;
    try {
      const adapter = await findAdapter();
      if (isSoftwareAdapter(adapter.info)) throw new Error("there is no GPU, only a software adapter");
      // The choice is made by measuring members, which are first known in generation().
      if (trainedOn !== "webgpu") this.#adapter = adapter;
      else await this.#takeGpu(await contender.executorOn(adapter), "it trained this run before", setup);
    } catch (error) {
      await this.#takeWasm(reasonOf(error), setup);
      if (trainedOn !== "webgpu") return;
      this.#options.onNotice(
        `A GPU trained this run so far, but none is available here (${reasonOf(error)}); the run continues with WebAssembly, so its results will differ from those on that GPU.`,
      );
    }
  }

  async generation(
    turns: readonly MemberTurn<K>[],
    news: readonly K["news"][],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<K>[]> {
    const { wasm, onNotice } = this.#options;
    const setup = this.#setup;
    if (!setup) throw new Error("executor: generation() before open()");
    if (this.#adapter) await this.#choose(this.#adapter, setup, turns);
    const gpu = this.#gpu;
    if (!gpu) return wasm.generation(turns, news, onSlice);
    const attempt = new Attempt(onSlice);
    try {
      return await gpu.generation(turns, news, attempt.onSlice);
    } catch (error) {
      if (error instanceof StoppedError) throw error;
      attempt.takeBack();
      await this.#takeWasm(`the GPU failed (${reasonOf(error)})`, gpu.handedOver?.(setup) ?? setup);
      onNotice(
        `The GPU failed (${reasonOf(error)}); the run continues with WebAssembly from its last generation boundary.`,
      );
      // The handed-over setup already includes the news.
      return wasm.generation(turns, [], onSlice);
    }
  }

  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#gpu?.setVisible?.(visible);
  }

  setWorkers(workers: number): void {
    this.#options.wasm.setWorkers?.(workers);
  }

  kernels(): Promise<readonly KernelReport[]> {
    return this.#current.kernels();
  }

  async close(): Promise<void> {
    this.#adapter = null;
    this.#setup = null;
    await this.#gpu?.close();
    this.#gpu = null;
    await this.#options.wasm.close();
  }

  /** Compares the GPU with WebAssembly and opens the faster one. @throws StoppedError after abort. */
  async #choose(adapter: GPUAdapter, setup: K["setup"], turns: readonly MemberTurn<K>[]): Promise<void> {
    const { wasm, contender } = this.#options;
    try {
      const { gpu, reason } = await contender.compare({
        ...{ adapter, setup, turns, wasm },
        measure: (work) => this.#measure(work),
      });
      if (gpu) await this.#takeGpu(gpu, reason, setup);
      else await this.#takeWasm(reason, setup);
    } catch (error) {
      if (error instanceof StoppedError) throw error;
      await this.#takeWasm(`the GPU cannot train this population (${reasonOf(error)})`, setup);
    }
  }

  async #measure<T>(work: (gate: Gate) => Promise<T>): Promise<T> {
    const run = this.#gate;
    const gate = new Gate();
    const forget = run.onAbort(() => gate.abort());
    try {
      const found = await work(gate);
      if (run.isAborted) throw new StoppedError();
      return found;
    } finally {
      forget();
    }
  }

  async #takeGpu(gpu: Executor<K>, reason: string, setup: K["setup"]): Promise<void> {
    await gpu.open(setup, this.#gate);
    gpu.setVisible?.(this.#visible);
    this.#reason = `The GPU trains: ${reason}.`;
    this.#gpu = gpu;
    this.#adapter = null;
  }

  async #takeWasm(reason: string, setup: K["setup"]): Promise<void> {
    const { wasm } = this.#options;
    this.#reason = `WebAssembly trains: ${reason}.`;
    this.#adapter = null;
    await this.#gpu?.close();
    this.#gpu = null;
    await wasm.open(setup, this.#gate);
  }
}
