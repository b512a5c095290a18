import type { Learner } from "./dqnProblem.ts";

/** Learning steps after which losses are compared. */
const STEPS = 50;
/** Orders of summation differ, and rounding grows with every step. */
const TOLERANCE = 1e-3;

/** @throws Error when two learners, equal at the start, do not learn the same. */
export function requireSameLearning(one: Learner, other: Learner): void {
  for (let step = 0; step < STEPS; step++) {
    const [a, b] = [one.loss(), other.loss()];
    if (!(Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(b))))
      throw new Error(`losses differ at learning step ${step + 1}: ${a} and ${b}`);
  }
}
