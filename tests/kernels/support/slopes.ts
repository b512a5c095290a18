/** Slopes of a scalar by central differences, in f64 on the reference evaluator. */
import { expect } from "vitest";
import type { Binding, Program } from "../../../src/kernels/index.ts";
import { type Buffers, runOnReference } from "./run.ts";

const STEP = 1e-5;

/** d loss / d name[element]; `loss` is a scalar state that the program writes. */
export function slope(
  program: Program,
  binding: Binding,
  at: Buffers,
  name: string,
  element: number,
): number {
  const lossAt = (step: number): number => {
    const moved = (at[name] ?? []).map((v, i) => (i === element ? v + step : v));
    const after = runOnReference(program, binding, { ...at, [name]: moved }, { precision: "f64" });
    return after.loss?.[0] ?? Number.NaN;
  };
  return (lossAt(STEP) - lossAt(-STEP)) / (2 * STEP);
}

export function expectSlope(found: number | undefined, expected: number, what: string): void {
  const error = Math.abs((found ?? Number.NaN) - expected);
  expect(error, `${what}: found ${found}, expected ${expected}`).toBeLessThanOrEqual(
    2e-5 * Math.max(1, Math.abs(expected)),
  );
}
