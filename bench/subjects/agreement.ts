import type { Learner } from "./dqnProblem.ts";

/** Learning steps after which losses are compared. */
const STEPS = 50;
/** Summation orders differ, and rounding errors grow with every step. */
const TOLERANCE = 1e-3;

/** @throws Error if two learners that start equal do not learn the same. */
export function requireSameLearning(one: Learner, other: Learner): void {
  for (let step = 0; step < STEPS; step++) {
    const [a, b] = [one.loss(), other.loss()];
    if (!(Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(b))))
      throw new Error(`losses differ at learning step ${step + 1}: ${a} and ${b}`);
  }
}
