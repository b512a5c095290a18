import type { InferenceSession, Tensor } from "onnxruntime-web/wasm";
import { requireHeld } from "../arenaLayout.ts";
import type { Arena, BoundProgram, Executable } from "../device.ts";
import { type Binding, type Dim, symbolsOf } from "../dim.ts";
import type { Program } from "../program.ts";
import type { ProgramMeter } from "../programMeters.ts";
import { OnnxArena } from "./OnnxArena.ts";
import type { OnnxDevice } from "./OnnxDevice.ts";
import type { OnnxSession, SessionFacts } from "./OnnxSession.ts";
import { onnxCalls } from "./runtime.ts";
import type { StateBuffer } from "./StateBuffer.ts";

const isDim = (value: unknown): value is Dim =>
  typeof value === "object" && value !== null && "terms" in value && "key" in value;

/** Symbols of a program without loops, sorted. Their values distinguish sizes of the same program. */
function programSymbols({ region, states }: Program): readonly string[] {
  const dims = [...states.values(), ...region.nodes].flatMap(({ shape }) => shape);
  const attributes = region.nodes.flatMap(({ attrs }) => Object.values(attrs).filter(isDim));
  return [...new Set([...dims, ...attributes].flatMap(symbolsOf))].sort();
}

/** A program of an `OnnxDevice`. It has a session for each binding of its symbols. */
export class OnnxExecutable implements Executable {
  readonly device: OnnxDevice;
  readonly program: Program;
  readonly #text: string;
  readonly #symbols: readonly string[];
  readonly #meter: ProgramMeter;
  #compiled = false;

  constructor(device: OnnxDevice, program: Program, text: string, meter: ProgramMeter) {
    this.device = device;
    this.program = program;
    this.#text = text;
    this.#symbols = programSymbols(program);
    this.#meter = meter;
  }

  /**
   * @throws RangeError when the arena lacks a buffer of the program or has one of a different size, or when a
   *   symbol is not bound; TypeError when the program has operations without an ONNX form.
   */
  bind(arena: Arena, symbols: Binding = {}): OnnxBoundProgram {
    if (!(arena instanceof OnnxArena && arena.memory === this.device.memory))
      throw new TypeError(`program ${this.program.name}: the arena belongs to another device`);
    const binding = { ...arena.binding, ...symbols };
    const buffers = new Map<string, StateBuffer>();
    for (const decl of this.program.states.values()) buffers.set(decl.name, arena.bufferOf(decl, binding));
    const sizes = this.#symbols.map((symbol) => `${symbol}=${binding[symbol]}`);
    const key = `${this.#text}\n${sizes.join(" ")}`;
    const session = () => this.device.session(key, this.program, binding);
    session();
    return new OnnxBoundProgram(arena, () => this.#run(session(), buffers));
  }

  async #run(session: OnnxSession, buffers: ReadonlyMap<string, StateBuffer>): Promise<void> {
    const { memory } = this.device;
    memory.requireSound();
    if (session.outputs.length === 0) return;
    const open = await session.open(
      (bytes) => memory.guarded(this.#create(bytes)),
      (facts) => this.#made(facts),
    );
    const bufferOf = (state: string) => buffers.get(state) as StateBuffer; // All states of the program have one.
    const feeds: Record<string, Tensor> = {};
    for (const { name, state, shape } of session.inputs) feeds[name] = bufferOf(state.name).feed(shape);
    const targets: Record<string, Tensor | null> = {};
    for (const { name, state, shape, carried } of session.outputs)
      targets[name] = bufferOf(state.name).target(shape, carried);
    const start = performance.now();
    this.#meter.started();
    const results = await memory.guarded(open.run(feeds, targets));
    this.#meter.took(performance.now() - start);
    for (const { name, state, carried } of session.outputs)
      bufferOf(state.name).adopt(results[name] as Tensor, carried); // All outputs were requested.
  }

  async #create(bytes: Uint8Array): Promise<InferenceSession> {
    const { memory, provider, runtime } = this.device;
    try {
      return await runtime.InferenceSession.create(bytes, memory.sessionOptions);
    } catch (cause) {
      const advice =
        provider === "webgpu"
          ? "; its GPU provider does not support `or`, argmax, slices of integers, or permute and select of bools"
          : "";
      throw new Error(
        `program ${this.program.name}: onnxruntime rejected it on ${provider}${advice} (${cause instanceof Error ? cause.message : String(cause)})`,
        { cause },
      );
    }
  }

  #made({ bytes, operators }: SessionFacts): void {
    if (this.#compiled) return;
    this.#compiled = true;
    this.#meter.compiled({ code_bytes: bytes, kernels: operators, source: null });
  }
}

export class OnnxBoundProgram implements BoundProgram {
  readonly #arena: OnnxArena;
  readonly #run: () => Promise<void>;
  #released = false;

  /** @param run Called from the queue of all calls. */
  constructor(arena: OnnxArena, run: () => Promise<void>) {
    this.#arena = arena;
    this.#run = run;
  }

  /** Queues a run. The promise resolves when it ends; later reads and writes come after it. */
  run(): Promise<void> {
    requireHeld(this.#released, this.#arena);
    return onnxCalls.run(this.#run);
  }

  release(): void {
    this.#released = true;
  }
}
