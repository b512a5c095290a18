/** Runs a program once on a device and once on the reference evaluator, over the same buffers. */

import type { Binding, Values } from "../../../src/kernels/functions.ts";
import {
  type Arena,
  type Data,
  type Device,
  evalDim,
  type Program,
  sizeOf,
} from "../../../src/kernels/index.ts";
import { WebGpuArena } from "../../../src/kernels/webgpu.ts";
import { evaluate } from "../inside/support/evaluate.ts";

/** Contents of buffers by name; a bool is 0 or 1. */
export type Buffers = Readonly<Record<string, readonly number[]>>;

export interface RunOptions {
  /** How often the program runs over the same buffers. */
  readonly times?: number;
}

/** Several times as fast as `Array.from`. */
function plain(program: Program, name: string, values: ArrayLike<number>): number[] {
  const isBool = program.states.get(name)?.dtype === "bool";
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    found.push(isBool && value !== 0 ? 1 : value);
  }
  return found;
}

/** The arena's own buffers of these names, from WebGPU by one transfer: each takes about as long as a small program. */
export async function readAll(arena: Arena, names: Iterable<string>): Promise<Map<string, Data>> {
  const found = new Map<string, Data>();
  if (!(arena instanceof WebGpuArena)) {
    for (const name of names) found.set(name, await arena.read(name));
    return found;
  }
  const [copy] = (await arena.device.readMany([arena.place])) as [ArrayBuffer];
  const bufferOf = arena.buffersIn(copy);
  for (const name of names) found.set(name, bufferOf(name) ?? (await arena.read(name)));
  return found;
}

/** All buffers of the program after it ran on the device. */
export async function runOnDevice(
  device: Device,
  program: Program,
  binding: Binding,
  initial: Buffers,
  { times = 1 }: RunOptions = {},
): Promise<Buffers> {
  const executable = await device.compile(program);
  const arena = device.arena(program.states.values(), binding);
  try {
    for (const [name, values] of Object.entries(initial)) if (arena.has(name)) arena.write(name, values);
    const bound = executable.bind(arena);
    for (let i = 0; i < times; i++) await bound.run();
    bound.release();
    const found = await readAll(arena, program.states.keys());
    return Object.fromEntries([...found].map(([name, values]) => [name, plain(program, name, values)]));
  } finally {
    arena.release();
  }
}

/** All buffers of the program after it ran on the reference evaluator. */
export function runOnReference(
  program: Program,
  binding: Binding,
  initial: Readonly<Record<string, ArrayLike<number>>>,
  { times = 1, precision = "f32" }: RunOptions & { readonly precision?: "f32" | "f64" } = {},
): Buffers {
  const states = new Map<string, Values>();
  for (const { name, shape, dtype } of program.states.values()) {
    const size = evalDim(sizeOf(shape), binding);
    const data =
      dtype === "u32"
        ? new Uint32Array(size)
        : dtype !== "f32"
          ? new Int32Array(size)
          : precision === "f64"
            ? new Float64Array(size)
            : new Float32Array(size);
    data.set(initial[name] ?? []);
    states.set(name, data);
  }
  for (let i = 0; i < times; i++) evaluate(program, states, binding, { precision });
  return Object.fromEntries([...states].map(([name, values]) => [name, plain(program, name, values)]));
}
