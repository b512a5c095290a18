/** A loss on the device against the same written apart, and its gradients against finite differences. */
import type { GradientAlgorithm } from "../../../../src/llm/algorithms/contract.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { runOnReference } from "../../../kernels/support/run.ts";
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

/** What is wrong with a number of f32 arithmetic, against one of f64; nothing where they agree. */
function difference(what: string, found: number | undefined, expected: number, tolerance = 1e-5): string[] {
  const error = Math.abs((found ?? Number.NaN) - expected);
  return error <= tolerance * Math.max(1, Math.abs(expected))
    ? []
    : [`${what}: found ${found}, expected ${expected}`];
}

/** Numbers that differ, by their places. */
export const differences = (what: string, found: ArrayLike<number>, expected: ArrayLike<number>): string[] =>
  found.length === expected.length
    ? Array.from(found).flatMap((x, i) => difference(`${what}[${i}]`, x, expected[i] ?? Number.NaN))
    : [`${what}: found ${found.length} numbers, expected ${expected.length}`];

/** What differs from `expected`, which is the loss and every metric by name. */
export function lossDifferences(
  { loss, metrics }: Evaluated,
  expected: Readonly<Record<string, number>>,
): string[] {
  const found: Readonly<Record<string, number>> = { ...metrics, loss };
  const names = new Set([...Object.keys(found), ...Object.keys(expected)]);
  return [...names].flatMap((name) => difference(name, found[name], expected[name] ?? Number.NaN));
}

const STEP = 1e-5;
const DIRECTIONS = 3;

/**
 * What is wrong with a loss's gradients. They are compared with its slopes along random directions, by central differences
 * in f64 on the reference evaluator: a wrong partial derivative shows in every one. Places that do not count have none.
 */
export async function gradientDifferences<S>(
  algorithm: GradientAlgorithm<S>,
  spec: S,
  point: Point,
): Promise<string[]> {
  const found = await evaluateLoss(algorithm, spec, point);
  const program = lossProgram(algorithm, spec, openSizes(rowsPerSample(algorithm)), { gradients: false });
  const [binding, at] = [bindingOf(algorithm, point), buffersAt(algorithm, spec, point)];
  const next = numbers(5);
  const problems: string[] = [];
  for (const [name, gradient] of Object.entries({
    log_probs: found.gradient,
    ...(point.values ? { values: found.valueGradient } : {}),
  })) {
    if (gradient.every((g) => g === 0)) problems.push(`${name}: every partial derivative is 0`);
    point.batch.action_mask.forEach((m, place) => {
      const counts = m === 1 && point.row_weight?.[Math.floor(place / point.batch.columns)] !== 0;
      if (!counts) problems.push(...difference(`${name}[${place}]`, gradient[place], 0, 0));
    });
    for (let i = 0; i < DIRECTIONS; i++) {
      const direction = gradient.map(() => 2 * next() - 1);
      const lossAt = (step: number): number => {
        const moved = (at[name] ?? []).map((x, place) => x + step * (direction[place] ?? 0));
        const after = runOnReference(program, binding, { ...at, [name]: moved }, { precision: "f64" });
        return after.loss?.[0] ?? Number.NaN;
      };
      const slope = (lossAt(STEP) - lossAt(-STEP)) / (2 * STEP);
      const along = gradient.reduce((sum, g, place) => sum + g * (direction[place] ?? 0), 0);
      problems.push(...difference(`${name} along direction ${i}`, along, slope, 2e-5));
    }
  }
  return problems;
}
