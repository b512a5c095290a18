import type { GenerationReport, MemberReport } from "../../../src/tracking/observer.ts";

const member = (slot: number, fitness: number, generation: number): MemberReport => ({
  slot,
  index: generation * 10 + slot,
  parent: generation === 1 ? null : (generation - 1) * 10 + (slot % 2),
  subpopulation: null,
  fitness,
  steps: generation * 4000,
  score: slot === 3 ? null : fitness * 0.8,
  mutation: ["None", "lr", "head_net.add_node", "param"][(slot + generation) % 4] ?? "None",
  hyperparameters: { lr: 0.001 * (1 + slot / 4), batch_size: 64 + 8 * slot, learn_step: 4 },
  metrics: { loss: 0.5 / generation },
  architecture: "64-64 | 64 | 64",
  learn_steps: 1000,
});

/** The report of a generation with the given fitnesses; everything else follows from them. */
export function generationReport(generation: number, fitnesses: readonly number[]): GenerationReport {
  return {
    event: "generation",
    generation,
    global_step: generation * 4000 * fitnesses.length,
    fitnesses,
    elite: fitnesses.indexOf(Math.max(...fitnesses)),
    members: fitnesses.map((fitness, slot) => member(slot, fitness, generation)),
    lineage: [],
    seconds: 0.5,
    steps_per_second: 32_000,
    learn_steps_per_second: 8000,
  };
}
