/** Training events for tests of what shows them. */
import type { GenerationReport, MemberReport, ProgressReport } from "../../src/tracking/observer.ts";

export const member = (slot: number, changes: Partial<MemberReport> = {}): MemberReport => ({
  slot,
  index: slot,
  parent: null,
  subpopulation: null,
  fitness: 10.5 * (slot + 1),
  steps: 1000,
  score: 20 + slot,
  mutation: "None",
  hyperparameters: { lr: 0.000125, batch_size: 64 },
  metrics: { loss: 0.5 },
  architecture: "64 | 64",
  learn_steps: 3,
  ...changes,
});

export function generation(
  members: readonly MemberReport[],
  changes: Partial<GenerationReport> = {},
): GenerationReport {
  return {
    event: "generation",
    generation: 1,
    global_step: 1_234_567,
    fitnesses: members.map((m) => m.fitness),
    elite: members.length - 1,
    members,
    lineage: [],
    seconds: 2,
    steps_per_second: 6000,
    learn_steps_per_second: 10,
    ...changes,
  };
}

export const progress = (changes: Partial<ProgressReport> = {}): ProgressReport => ({
  event: "progress",
  generation: 1,
  global_step: 500_000,
  total_steps: 2_000_000,
  steps_per_second: 60_000,
  learn_steps_per_second: 100,
  ...changes,
});
