/**
 * Device "auto": the GPU where there is one that trains the run's own population faster than WebAssembly does, and
 * WebAssembly otherwise, also from the moment on that the GPU fails for good. A run that goes on stays with the device
 * that trained it, whose bits no other has.
 */
import type { KernelReport } from "../../kernels/kernelReport.ts";
import { isSoftwareAdapter } from "../../kernels/wgsl/adapterName.ts";
import { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import type { Slice } from "../../rl/runtime/turn.ts";
import type { TrainingDevice } from "../executors/device.ts";
import { StoppedError } from "../loop/Gate.ts";
import type { Executor, MemberTurn, RunSetup, TurnOutcome, Written } from "../rl/kinds.ts";
import { stepsPerSecond } from "./calibration.ts";
import { GpuExecutor } from "./GpuExecutor.ts";

export interface AutoExecutorOptions {
  /** @throws Error that says why there is no adapter. */
  readonly findAdapter: () => Promise<GPUAdapter>;
  /** What trains on WebAssembly. */
  readonly wasm: Executor;
  /** Told when the run changes its device, or a lost one is replaced. */
  readonly onNotice?: (message: string) => void;
  /** Workgroups that the GPU runs at once; measured unless given. */
  readonly busy?: number;
  /** Environment steps per second of an executor; measured unless given. */
  readonly rateOf?: typeof stepsPerSecond;
}

/** How long the GPU's compiler may keep the run waiting, measuring included. */
const PATIENCE_MS = 15_000;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString("en")} steps per second`;

export class AutoExecutor implements Executor {
  readonly #options: AutoExecutorOptions;
  readonly #wasm: Executor;
  readonly #onNotice: (message: string) => void;
  #setup: RunSetup | null = null;
  /** A GPU that may still be chosen. */
  #adapter: GPUAdapter | null = null;
  #gpu: GpuExecutor | null = null;
  /** What is measured. */
  #measured: Executor | null = null;
  #reason = "The device is chosen when training starts.";
  #aborted = false;
  #paused = false;
  #visible = false;

  constructor(options: AutoExecutorOptions) {
    this.#options = options;
    this.#wasm = options.wasm;
    this.#onNotice = options.onNotice ?? (() => undefined);
  }

  get device(): TrainingDevice {
    return this.#gpu ? "webgpu" : "wasm";
  }

  get label(): string {
    return this.#current.label;
  }

  get measured(): GpuExecutor["measured"] {
    return this.#gpu?.measured ?? {};
  }

  get reason(): string {
    return this.#reason;
  }

  get #busy(): Pick<AutoExecutorOptions, "busy"> {
    const { busy } = this.#options;
    return busy === undefined ? {} : { busy };
  }

  get #current(): Executor {
    return this.#gpu ?? this.#wasm;
  }

  async open(setup: RunSetup): Promise<void> {
    await this.close();
    this.#setup = setup;
    const { trainedOn } = setup;
    if (trainedOn === "wasm") {
      await this.#takeWasm("it trained this run before", setup);
      return;
    }
    try {
      const adapter = await this.#options.findAdapter();
      if (isSoftwareAdapter(adapter.info))
        throw new Error("there is no GPU, only software that takes its place");
      // Where there is a GPU, the members decide, which come with the first generation.
      if (trainedOn !== "webgpu") this.#adapter = adapter;
      else await this.#stayOnGpu(adapter, setup);
    } catch (error) {
      await this.#takeWasm(reasonOf(error), setup);
      if (trainedOn !== "webgpu") return;
      this.#onNotice(
        `A GPU trained this run so far, and none can here (${reasonOf(error)}): it goes on with WebAssembly, and ends with other bits than on that GPU.`,
      );
    }
  }

  async generation(
    turns: readonly MemberTurn[],
    written: readonly Written[],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome[]> {
    if (!this.#setup) throw new Error("executor: generation() before open()");
    this.#aborted = false;
    if (this.#adapter) await this.#choose(this.#adapter, this.#setup, turns);
    if (!this.#gpu) return this.#wasm.generation(turns, written, onSlice);
    let [env_steps, learn_steps] = [0, 0];
    try {
      return await this.#gpu.generation(turns, written, (slice) => {
        env_steps += slice.env_steps;
        learn_steps += slice.learn_steps;
        onSlice(slice);
      });
    } catch (error) {
      if (error instanceof StoppedError) throw error;
      onSlice({ env_steps: -env_steps, learn_steps: -learn_steps });
      const transitions = this.#gpu.transitions;
      await this.#takeWasm(`the GPU failed (${reasonOf(error)})`, { ...this.#setup, written: transitions });
      this.#onNotice(
        `The GPU failed (${reasonOf(error)}); the run goes on with WebAssembly from its last generation boundary.`,
      );
      return this.#wasm.generation(turns, [], onSlice);
    }
  }

  pause(): void {
    this.#paused = true;
    this.#current.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#current.resume();
  }

  abort(): void {
    this.#aborted = true;
    this.#measured?.abort();
    this.#current.abort();
  }

  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#gpu?.setVisible(visible);
  }

  setWorkers(workers: number): void {
    this.#wasm.setWorkers?.(workers);
  }

  kernels(): Promise<readonly KernelReport[]> {
    return this.#current.kernels();
  }

  async close(): Promise<void> {
    this.#adapter = null;
    this.#setup = null;
    await this.#gpu?.close();
    this.#gpu = null;
    await this.#wasm.close();
  }

  /** Compares the GPU with WebAssembly and opens the faster one. @throws StoppedError after abort. */
  async #choose(adapter: GPUAdapter, setup: RunSetup, turns: readonly MemberTurn[]): Promise<void> {
    let device: WebGpuDevice | null = null;
    try {
      device = await WebGpuDevice.create(adapter);
      const opened = device;
      const measured = new GpuExecutor({ open: async () => opened, keepsDevice: true, ...this.#busy });
      const onGpu = await inTime(this.#rate(measured, turns));
      const onWasm = await this.#rate(this.#wasm, turns);
      if (onGpu > onWasm) {
        await this.#takeGpu(opened, setup);
        this.#reason = `The GPU trains this population faster than WebAssembly here: about ${perSecond(onGpu)} against ${perSecond(onWasm)}.`;
        return;
      }
      device.close();
      const reason = `it trains this population faster than the GPU here: about ${perSecond(onWasm)} against ${perSecond(onGpu)}`;
      await this.#takeWasm(reason, setup);
    } catch (error) {
      device?.close();
      if (error instanceof StoppedError) throw error;
      await this.#takeWasm(`the GPU cannot train this population (${reasonOf(error)})`, setup);
    }
  }

  async #stayOnGpu(adapter: GPUAdapter, setup: RunSetup): Promise<void> {
    const device = await WebGpuDevice.create(adapter);
    try {
      await this.#takeGpu(device, setup);
      this.#reason = "The GPU trains: it trained this run before.";
    } catch (error) {
      device.close();
      throw error;
    }
  }

  async #rate(executor: Executor, turns: readonly MemberTurn[]): Promise<number> {
    this.#measured = executor;
    try {
      const rate = await (this.#options.rateOf ?? stepsPerSecond)(executor, this.#setup as RunSetup, turns);
      if (this.#aborted) throw new StoppedError();
      return rate;
    } finally {
      this.#measured = null;
    }
  }

  async #takeGpu(first: WebGpuDevice, setup: RunSetup): Promise<void> {
    let calibrated: WebGpuDevice | null = first;
    const gpu = new GpuExecutor({
      // What was compiled to measure is of use.
      open: async () => {
        const device = calibrated ?? (await WebGpuDevice.create(await this.#options.findAdapter()));
        calibrated = null;
        return device;
      },
      onNotice: this.#onNotice,
      ...this.#busy,
    });
    await gpu.open(setup);
    gpu.setVisible(this.#visible);
    if (this.#paused) gpu.pause();
    this.#gpu = gpu;
    this.#adapter = null;
  }

  async #takeWasm(reason: string, setup: RunSetup): Promise<void> {
    this.#reason = `WebAssembly trains: ${reason}.`;
    this.#adapter = null;
    await this.#gpu?.close();
    this.#gpu = null;
    await this.#wasm.open(setup);
    if (this.#paused) this.#wasm.pause();
  }
}

/** @throws Error when the work takes longer than one waits for it. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `its programs were not compiled within ${PATIENCE_MS / 1000} s`;
    timer = setTimeout(() => reject(new Error(message)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
