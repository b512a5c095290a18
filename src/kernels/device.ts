/** What runs programs: the same interface over wasm and WebGPU. */
import type { Binding } from "./dim.ts";
import type { KernelReport } from "./kernelReport.ts";
import type { Program } from "./program.ts";
import type { StateDecl } from "./tensor.ts";

/** `onnx`: onnxruntime-web, for programs of language models. */
export type DeviceKind = "wasm" | "webgpu" | "onnx";

/** Contents of a buffer, by its element type (bool as i32 0 / -1). */
export type Data = Float32Array | Int32Array | Uint32Array;

/** The buffers of one member, sized by its binding. Its owner releases it. */
export interface Arena {
  readonly binding: Binding;
  /** Bytes it holds. */
  readonly bytes: number;
  has(name: string): boolean;
  /** Copies values in, from the start of the buffer (bool: anything but 0 is true). @throws RangeError when they do not fit. */
  write(name: string, values: ArrayLike<number>): void;
  /** A copy of the buffer's contents after all runs so far. */
  read(name: string): Data | Promise<Data>;
  release(): void;
}

/** A program bound to the buffers of one member. */
export interface BoundProgram {
  /** Runs once; on an asynchronous device the work is queued. */
  run(): void | Promise<void>;
  release(): void;
}

export interface Executable {
  /** `symbols`: values of symbols beside the arena's, so that a program may run for parts of a member. */
  bind(arena: Arena, symbols?: Binding): BoundProgram;
}

export interface Device {
  readonly kind: DeviceKind;
  /** Compiles a program, or finds it compiled; reports name the member whose slot asked. */
  compile(program: Program, slot?: number): Executable | Promise<Executable>;
  /** Buffers for the given declarations; names of `shared` arenas are found there instead. */
  arena(states: Iterable<StateDecl>, binding: Binding, shared?: Arena): Arena;
  /** A generation has passed: compiled programs that were not asked for in the last few are dropped. */
  age(): void;
  /** Bytes allocated. */
  readonly bytes: number;
  /** The compiled programs that are kept. */
  kernels(): readonly KernelReport[];
  close(): void;
}
