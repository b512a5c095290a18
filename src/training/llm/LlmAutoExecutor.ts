/**
 * Device "auto" for language models: the GPU where there is one that trains a generation faster than WebAssembly does, and
 * WebAssembly otherwise, also from the moment on that the GPU fails for good. A run that goes on stays with the device that
 * trained it, whose bits no other has.
 */
import type { KernelReport } from "../../kernels/kernelReport.ts";
import { isSoftwareAdapter } from "../../kernels/wgsl/adapterName.ts";
import { reasonOf } from "../../storage/storageError.ts";
import type { Executor, MemberTurn, TurnOutcome } from "../loop/executor.ts";
import { StoppedError } from "../loop/Gate.ts";
import type { TrainingDevice } from "../loop/runState.ts";
import type { Slice } from "../loop/Workload.ts";
import type { LlmKinds, LlmSetup } from "./kinds.ts";
import { millisecondsOf } from "./millisecondsOf.ts";

export interface LlmAutoExecutorOptions {
  /** @throws Error that says why there is no adapter. */
  readonly findAdapter: () => Promise<GPUAdapter>;
  readonly wasm: Executor<LlmKinds>;
  readonly gpu: Executor<LlmKinds>;
  /** Told when the run changes its device. */
  readonly onNotice: (message: string) => void;
  /** Milliseconds of a generation; measured unless given. */
  readonly timeOf?: typeof millisecondsOf;
}

const inSeconds = (ms: number): string => `${(ms / 1000).toPrecision(2)} s a generation`;

export class LlmAutoExecutor implements Executor<LlmKinds> {
  readonly #options: LlmAutoExecutorOptions;
  #setup: LlmSetup | null = null;
  #current: Executor<LlmKinds>;
  /** What is measured. */
  #measured: Executor<LlmKinds> | null = null;
  #undecided = false;
  #aborted = false;
  #paused = false;
  #reason = "The device is chosen when training starts.";

  constructor(options: LlmAutoExecutorOptions) {
    this.#options = options;
    this.#current = options.wasm;
  }

  get device(): TrainingDevice {
    return this.#current.device;
  }

  get label(): string {
    return this.#current.label;
  }

  get reason(): string {
    return this.#reason;
  }

  async open(setup: LlmSetup): Promise<void> {
    await this.close();
    this.#setup = setup;
    const { trainedOn } = setup;
    if (trainedOn === "wasm") return this.#take("wasm", "it trained this run before");
    try {
      if (isSoftwareAdapter((await this.#options.findAdapter()).info))
        throw new Error("there is no GPU, only software that takes its place");
      // Where there is a GPU, the members decide, which come with the first generation.
      if (trainedOn === "webgpu") await this.#take("gpu", "it trained this run before");
      else this.#undecided = true;
    } catch (error) {
      await this.#take("wasm", reasonOf(error));
      if (trainedOn !== "webgpu") return;
      this.#options.onNotice(
        `A GPU trained this run so far, and none can here (${reasonOf(error)}): it goes on with WebAssembly, and ends with other bits than on that GPU.`,
      );
    }
  }

  async generation(
    turns: readonly MemberTurn<LlmKinds>[],
    news: readonly never[],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<LlmKinds>[]> {
    this.#aborted = false;
    if (this.#undecided) await this.#choose(turns);
    if (this.#current === this.#options.wasm) return this.#current.generation(turns, news, onSlice);
    let [env_steps, learn_steps] = [0, 0];
    try {
      return await this.#current.generation(turns, news, (slice) => {
        env_steps += slice.env_steps;
        learn_steps += slice.learn_steps;
        onSlice(slice);
      });
    } catch (error) {
      if (error instanceof StoppedError) throw error;
      onSlice({ env_steps: -env_steps, learn_steps: -learn_steps });
      await this.#take("wasm", `the GPU failed (${reasonOf(error)})`);
      this.#options.onNotice(
        `The GPU failed (${reasonOf(error)}); the run goes on with WebAssembly from its last generation boundary.`,
      );
      return this.#current.generation(turns, news, onSlice);
    }
  }

  /** What is measured goes on: a pause would count as its time. */
  pause(): void {
    this.#paused = true;
    if (!this.#measured) this.#current.pause();
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

  setWorkers(workers: number): void {
    this.#options.wasm.setWorkers?.(workers);
  }

  kernels(): Promise<readonly KernelReport[]> {
    return this.#current.kernels();
  }

  async close(): Promise<void> {
    this.#setup = null;
    this.#undecided = false;
    await this.#options.gpu.close();
    await this.#options.wasm.close();
    this.#current = this.#options.wasm;
  }

  /** Compares the GPU with WebAssembly and opens the faster one. @throws StoppedError after abort. */
  async #choose(turns: readonly MemberTurn<LlmKinds>[]): Promise<void> {
    this.#undecided = false;
    try {
      const onGpu = await this.#timeOn(this.#options.gpu, turns);
      const onWasm = await this.#timeOn(this.#options.wasm, turns);
      const [gpu, wasm] = [inSeconds(onGpu), inSeconds(onWasm)];
      if (onGpu < onWasm) await this.#take("gpu", `it takes about ${gpu} here, and WebAssembly ${wasm}`);
      else await this.#take("wasm", `it takes about ${wasm} here, and the GPU ${gpu}`);
    } catch (error) {
      if (error instanceof StoppedError) throw error;
      await this.#take("wasm", `the GPU cannot train this population (${reasonOf(error)})`);
    }
  }

  async #timeOn(executor: Executor<LlmKinds>, turns: readonly MemberTurn<LlmKinds>[]): Promise<number> {
    this.#measured = executor;
    try {
      // Chosen once the run was opened.
      const ms = await (this.#options.timeOf ?? millisecondsOf)(executor, this.#setup as LlmSetup, turns);
      if (this.#aborted) throw new StoppedError();
      return ms;
    } finally {
      this.#measured = null;
    }
  }

  async #take(which: "gpu" | "wasm", reason: string): Promise<void> {
    const { gpu, wasm } = this.#options;
    const [taken, other] = which === "gpu" ? [gpu, wasm] : [wasm, gpu];
    this.#reason = `${which === "gpu" ? "The GPU" : "WebAssembly"} trains: ${reason}.`;
    await other.close();
    this.#current = taken;
    await taken.open(this.#setup as LlmSetup); // taken for a run
    if (this.#paused) taken.pause();
  }
}
