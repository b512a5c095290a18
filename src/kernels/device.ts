/** The interface of the devices that run programs: wasm, WebGPU and ONNX. */
import type { Binding } from "./dim.ts";
import type { KernelReport } from "./kernelReport.ts";
import type { Program } from "./program.ts";
import type { StateDecl } from "./tensor.ts";

/** `onnx`: onnxruntime-web, for programs of language models. */
export type DeviceKind = "wasm" | "webgpu" | "onnx";

/** Contents of a buffer, by its element type (bool as i32 0 / -1). */
export type Data = Float32Array | Int32Array | Uint32Array;

/** The buffers of one member, sized by its binding. The owner must release it. */
export interface Arena {
  readonly binding: Binding;
  /** Size in bytes. */
  readonly bytes: number;
  has(name: string): boolean;
  /**
   * Copies values to the buffer (bool: any nonzero value is true).
   * @param first Index of the first value (default: 0).
   * @throws RangeError when they do not fit.
   */
  write(name: string, values: ArrayLike<number>, first?: number): void;
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
  /** `symbols`: values for symbols other than the arena's, so that a program can run for part of a member. */
  bind(arena: Arena, symbols?: Binding): BoundProgram;
}

export interface Device {
  readonly kind: DeviceKind;
  /** Compiles a program or returns the cached result. Kernel reports list the member in `slot`. */
  compile(program: Program, slot?: number): Executable | Promise<Executable>;
  /** Creates buffers for the given declarations, except for those that the `shared` arena has. */
  arena(states: Iterable<StateDecl>, binding: Binding, shared?: Arena): Arena;
  /** Marks the end of a generation and drops compiled programs not requested in the last few. */
  age(): void;
  /** Bytes allocated. */
  readonly bytes: number;
  /** Reports on the cached compiled programs. */
  kernels(): readonly KernelReport[];
  close(): void;
}
