/** A loss on the device against the same written apart, and its gradients against finite differences. */
import { expect } from "vitest";
import type { LlmAlgorithm } from "../../../src/llm/algorithms/contract.ts";
import { numbers } from "../../kernels/support/numbers.ts";
import { runOnReference } from "../../kernels/support/run.ts";
import { expectSlope } from "../../kernels/support/slopes.ts";
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

const STEP = 1e-5;
const DIRECTIONS = 3;

/**
 * Compares gradients with the loss's slopes along random directions, by central differences in f64 on the reference
 * evaluator: a wrong partial derivative shows in every one of them. Places that are not counted have none at all.
 */
export async function expectGradients<S>(algorithm: LlmAlgorithm<S>, spec: S, point: Point): Promise<void> {
  const found = await evaluateLoss(algorithm, spec, point);
  const program = lossProgram(algorithm, spec, openSizes(rowsPerSample(algorithm)), { gradients: false });
  const [binding, at] = [bindingOf(algorithm, point), buffersAt(algorithm, spec, point)];
  const next = numbers(5);
  const targets = [
    ["log_probs", found.gradient],
    ...(point.values ? [["values", found.valueGradient] as const] : []),
  ] as const;
  for (const [name, gradient] of targets) {
    expect(gradient.some((g) => g !== 0)).toBe(true);
    point.batch.action_mask.forEach((m, place) => {
      const counts = m === 1 && point.row_weight?.[Math.floor(place / point.batch.columns)] !== 0;
      if (!counts) expect(gradient[place], `${name}[${place}]`).toBe(0);
    });
    for (let i = 0; i < DIRECTIONS; i++) {
      const direction = gradient.map(() => 2 * next() - 1);
      const lossAt = (step: number): number => {
        const moved = (at[name] ?? []).map((x, place) => x + step * (direction[place] ?? 0));
        return (
          runOnReference(program, binding, { ...at, [name]: moved }, { precision: "f64" }).loss?.[0] ??
          Number.NaN
        );
      };
      const slope = (lossAt(STEP) - lossAt(-STEP)) / (2 * STEP);
      const along = gradient.reduce((sum, g, place) => sum + g * (direction[place] ?? 0), 0);
      expectSlope(along, slope, `${name} along direction ${i}`);
    }
  }
}
