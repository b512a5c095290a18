/** onnxruntime-web as a device: programs become sessions, and buffers become tensors. */
import { AgingCache } from "../agingCache.ts";
import type { Device } from "../device.ts";
import type { Binding } from "../dim.ts";
import type { KernelReport } from "../kernelReport.ts";
import type { Program } from "../program.ts";
import { CompiledPrograms } from "../programMeters.ts";
import type { StateDecl } from "../tensor.ts";
import { CpuMemory } from "./CpuMemory.ts";
import { GpuMemory } from "./GpuMemory.ts";
import { OnnxArena } from "./OnnxArena.ts";
import { OnnxExecutable } from "./OnnxExecutable.ts";
import { OnnxSession } from "./OnnxSession.ts";
import { loadRuntime, type OnnxProvider, onnxCalls, type Runtime } from "./runtime.ts";
import type { ProviderMemory } from "./StateBuffer.ts";

export { ModelSession, type SessionTensor } from "./ModelSession.ts";

export interface OnnxDeviceOptions {
  readonly provider: OnnxProvider;
}

/** Releases a session once nothing runs in it. May fail if its GPU was lost, but then it holds nothing. */
const dropSession = (session: OnnxSession): void =>
  void onnxCalls.run(() => session.release()).catch(() => undefined);

/**
 * Runs programs whose operations have an ONNX form, with one session for each set of sizes. Runs, reads and
 * writes of all such devices in a thread share one queue.
 */
export class OnnxDevice implements Device {
  readonly kind = "onnx";
  readonly provider: OnnxProvider;
  readonly runtime: Runtime;
  readonly memory: ProviderMemory;
  readonly #programs = new CompiledPrograms<OnnxExecutable>("onnx", true);
  readonly #sessions = new AgingCache<OnnxSession>(dropSession);
  readonly #arenas = new Set<OnnxArena>();
  #closed = false;

  private constructor(provider: OnnxProvider, runtime: Runtime, memory: ProviderMemory) {
    this.provider = provider;
    this.runtime = runtime;
    this.memory = memory;
  }

  /** @throws Error when onnxruntime cannot be loaded, or there is no GPU for the provider `webgpu`. */
  static async open({ provider }: OnnxDeviceOptions): Promise<OnnxDevice> {
    const runtime = await loadRuntime(provider);
    return new OnnxDevice(
      provider,
      runtime,
      provider === "cpu" ? new CpuMemory(runtime) : await GpuMemory.open(runtime),
    );
  }

  get bytes(): number {
    let bytes = 0;
    for (const arena of this.#arenas) bytes += arena.bytes;
    return bytes;
  }

  /** Number of cached sessions. */
  get sessions(): number {
    return this.#sessions.size;
  }

  compile(program: Program, slot?: number): OnnxExecutable {
    this.#requireOpen();
    return this.#programs.get(program, slot, (meter, text) => new OnnxExecutable(this, program, text, meter));
  }

  /** The session of a program under a key of its text and sizes; marks the session as used. */
  session(key: string, program: Program, binding: Binding): OnnxSession {
    this.#requireOpen();
    return this.#sessions.get(key, () => new OnnxSession(program, binding));
  }

  arena(states: Iterable<StateDecl>, binding: Binding, shared?: OnnxArena): OnnxArena {
    this.#requireOpen();
    const arena = new OnnxArena(this.memory, states, binding, shared, (ended) => this.#arenas.delete(ended));
    this.#arenas.add(arena);
    return arena;
  }

  age(): void {
    this.#programs.age();
    this.#sessions.age();
  }

  kernels(): readonly KernelReport[] {
    return this.#programs.reports();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#programs.clear();
    this.#sessions.clear();
    for (const arena of this.#arenas) arena.release();
    void onnxCalls.run(() => this.memory.close());
  }

  #requireOpen(): void {
    if (this.#closed) throw new Error("onnx: the device was used after it was closed");
  }
}
