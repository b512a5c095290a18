/** A loss on the device against the same written apart, and its gradients against finite differences. */
import { expect } from "vitest";
import type { LlmAlgorithm } from "../../../src/llm/algorithms/contract.ts";
import { expectSlope, slope } from "../../kernels/support/slopes.ts";
import {
  bindingOf,
  buffersAt,
  type Evaluated,
  evaluateLoss,
  lossProgram,
  openSizes,
  type Point,
  rowsPerSample,
} from "./lossProgram.ts";

/** Numbers of f32 arithmetic against those of f64. */
export function expectClose(found: number | undefined, expected: number, what: string): void {
  const error = Math.abs((found ?? Number.NaN) - expected);
  expect(error, `${what}: found ${found}, expected ${expected}`).toBeLessThanOrEqual(
    1e-5 * Math.max(1, Math.abs(expected)),
  );
}

/** `expected` is the loss and every metric, by name. */
export function expectLoss(found: Evaluated, expected: Readonly<Record<string, number>>): void {
  expect(Object.keys({ loss: 0, ...found.metrics }).sort()).toEqual(Object.keys(expected).sort());
  for (const [name, value] of Object.entries(expected))
    expectClose(name === "loss" ? found.loss : found.metrics[name], value, name);
}

/** Compares both gradients, at every place or, of large batches, at `places` of each. */
export async function expectGradients<S>(
  algorithm: LlmAlgorithm<S>,
  spec: S,
  point: Point,
  places: readonly number[] = Array.from(point.log_probs.keys()),
): Promise<void> {
  const found = await evaluateLoss(algorithm, spec, point);
  const program = lossProgram(algorithm, spec, openSizes(rowsPerSample(algorithm)));
  const [binding, at] = [bindingOf(algorithm, point), buffersAt(algorithm, spec, point)];
  for (const place of places) {
    const expected = slope(program, binding, at, "log_probs", place);
    expectSlope(found.gradient[place], expected, `log_probs[${place}]`);
    if (!point.values) continue;
    expectSlope(found.valueGradient[place], slope(program, binding, at, "values", place), `values[${place}]`);
  }
}
