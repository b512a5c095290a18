/** Programs of learning in slices, run on wasm, and buffers to compare. */
import { expect } from "vitest";
import type { Binding, Program, StateDecl } from "../../../src/kernels/index.ts";
import type { WasmArena, WasmDevice } from "../../../src/kernels/wasm/device.ts";

export type Buffers = ReadonlyMap<string, readonly number[]>;

/** The states of programs, each once. */
export function statesOf(programs: readonly Program[]): StateDecl[] {
  const states = new Map<string, StateDecl>();
  for (const program of programs) for (const decl of program.states.values()) states.set(decl.name, decl);
  return [...states.values()];
}

/** Runs a program once for each of its parts. */
export function runOnWasm(
  device: WasmDevice,
  arena: WasmArena,
  program: Program,
  parts: readonly Binding[] = [{}],
): void {
  const executable = device.compile(program);
  for (const part of parts) {
    const bound = executable.bind(arena, part);
    bound.run();
    bound.release();
  }
}

export const buffersOf = (arena: WasmArena, states: readonly StateDecl[]): Buffers =>
  new Map(states.map(({ name }) => [name, Array.from(arena.read(name))]));

/** Each number within 1e-4, relative beyond 1. */
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
