/** Runs programs of sliced learning on wasm, and compares buffers. */
import { expect } from "vitest";
import type { WasmArena, WasmDevice } from "../../../src/kernels/devices.ts";
import type { Binding, Program, StateDecl } from "../../../src/kernels/index.ts";
import type { WebGpuArena } from "../../../src/kernels/webgpu.ts";
import type { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { readAll } from "../../kernels/support/run.ts";

export type Buffers = ReadonlyMap<string, readonly number[]>;

/** The distinct states of several programs. */
export function statesOf(programs: readonly Program[]): StateDecl[] {
  const states = new Map<string, StateDecl>();
  for (const program of programs) for (const decl of program.states.values()) states.set(decl.name, decl);
  return [...states.values()];
}

/** A program that is bound once for many runs. */
export interface Bound {
  /** Runs it once per part. */
  readonly run: () => void;
  readonly release: () => void;
}

export function boundOnWasm(
  device: WasmDevice,
  arena: WasmArena,
  program: Program,
  parts: readonly Binding[] = [{}],
): Bound {
  const executable = device.compile(program);
  const bound = parts.map((part) => executable.bind(arena, part));
  return {
    run: () => {
      for (const part of bound) part.run();
    },
    release: () => {
      for (const part of bound) part.release();
    },
  };
}

/** Runs a program once per part. */
export function runOnWasm(...what: Parameters<typeof boundOnWasm>): void {
  const bound = boundOnWasm(...what);
  bound.run();
  bound.release();
}

export const buffersOf = (arena: WasmArena, states: readonly StateDecl[]): Buffers =>
  new Map(states.map(({ name }) => [name, Array.from(arena.read(name))]));

export async function gpuBuffersOf(arena: WebGpuArena, states: readonly StateDecl[]): Promise<Buffers> {
  const found = await readAll(
    arena,
    states.map(({ name }) => name),
  );
  return new Map([...found].map(([name, values]) => [name, Array.from(values)]));
}

/** Asserts that each number is within 1e-4, relative beyond 1. */
export function expectClose(found: Buffers, expected: Buffers): void {
  for (const [name, values] of expected) {
    const other = found.get(name) ?? [];
    expect(other, `${name}`).toHaveLength(values.length);
    let most = 0;
    for (const [i, v] of values.entries()) {
      const w = other[i] as number;
      const error = Object.is(v, w) ? 0 : Math.abs(v - w) / Math.max(1, Math.abs(v));
      if (!(error <= most)) most = error;
    }
    expect(most, `${name}`).toBeLessThanOrEqual(1e-4);
  }
}

/** Runs a program on wasm and on WebGPU from the same contents, and asserts equal buffers. */
export async function runOnBoth(
  device: WasmDevice,
  gpu: WebGpuDevice,
  arena: WasmArena,
  program: Program,
): Promise<void> {
  const states = statesOf([program]);
  const own = gpu.arena(states, arena.binding);
  for (const { name } of states) own.write(name, arena.read(name));
  const bound = (await gpu.compile(program)).bind(own);
  bound.run();
  runOnWasm(device, arena, program);
  const found = await gpuBuffersOf(own, states);
  bound.release();
  own.release();
  expectClose(found, buffersOf(arena, states));
}
