/**
 * Trains members of language-model runs one after another on onnxruntime's GPU provider, in the calling
 * thread.
 */

import { GpuFault } from "../../kernels/webgpu.ts";
import { SerialExecutor } from "../executors/SerialExecutor.ts";
import { Attempt, type MemberTurn, runTurn, type TurnOutcome } from "../loop/executor.ts";
import { Gate, StoppedError } from "../loop/Gate.ts";
import type { Slice, TurnRunner } from "../loop/Workload.ts";
import type { LlmKinds, LlmSetup } from "./LlmWorkload.ts";

export { LlmWasmExecutor } from "./LlmWasmExecutor.ts";

/** Maximum attempts at a turn, each on a fresh device. */
const ATTEMPTS = 2;

interface LlmGpuExecutorOptions {
  /** Opens a turn runner on the GPU. @throws Error with the reason that there is none. */
  readonly open: (setup: LlmSetup) => Promise<TurnRunner<LlmKinds>>;
  /** Called when the device was lost and a turn runs again. */
  readonly onNotice: (message: string) => void;
}

/** The GpuFault among an error and its causes, or null. */
function faultIn(error: unknown): GpuFault | null {
  if (error instanceof GpuFault) return error;
  return error instanceof Error ? faultIn(error.cause) : null;
}

export class LlmGpuExecutor extends SerialExecutor<LlmKinds> {
  readonly device = "webgpu";
  readonly label = "WebGPU, onnxruntime";
  readonly #options: LlmGpuExecutorOptions;
  #setup: LlmSetup | null = null;

  constructor(options: LlmGpuExecutorOptions) {
    super();
    this.#options = options;
  }

  async open(setup: LlmSetup, gate = new Gate()): Promise<void> {
    await this.close();
    this.gate = gate;
    const own: LlmSetup = { ...setup, device: "webgpu" };
    this.#setup = own;
    this.turnRunner = await this.#opened(own);
  }

  override async close(): Promise<void> {
    await super.close();
    this.#setup = null;
  }

  /**
   * Runs a turn, and runs it again on a fresh device if the GPU was lost. This is safe, because the member is
   * plain data that the lost device could not change.
   * @throws Error when the GPU fails permanently, or is lost twice in a row.
   */
  protected async turn(
    turn: MemberTurn<LlmKinds>,
    onSlice: (slice: Slice) => void,
  ): Promise<TurnOutcome<LlmKinds>> {
    const setup = this.#setup;
    if (!setup) throw new Error("executor: generation() before open()");
    for (let tries = 1; ; tries++) {
      this.turnRunner ??= await this.#opened(setup);
      const attempt = new Attempt(onSlice);
      const outcome = await runTurn(this.turnRunner, turn, this.gate, attempt.onSlice);
      if (outcome.ok) return outcome;
      const fault = faultIn(outcome.cause);
      if (!fault) return outcome;
      await super.close();
      attempt.takeBack();
      if (fault.kind !== "lost" || tries === ATTEMPTS) throw fault.kind === "lost" ? fault : outcome.cause;
      this.#options.onNotice(
        `The GPU was lost (${fault.message}); the turn of member ${turn.turn.slot} runs again on a fresh device.`,
      );
    }
  }

  /** @throws StoppedError when the executor was closed, or opened for another run, in the meantime. */
  async #opened(setup: LlmSetup): Promise<TurnRunner<LlmKinds>> {
    const turnRunner = await this.#options.open(setup);
    if (this.#setup === setup) return turnRunner;
    turnRunner.close();
    throw new StoppedError();
  }
}
