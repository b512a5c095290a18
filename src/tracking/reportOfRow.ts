import type { GenerationRow } from "./generationColumns.ts";
import type { GenerationReport } from "./observer.ts";

/** A generation report restored from its stored numbers; all other fields are unknown. */
export const reportOfRow = ({
  generation,
  global_step,
  seconds,
  fitnesses,
  members,
}: GenerationRow): GenerationReport => ({
  event: "generation",
  generation,
  global_step,
  fitnesses,
  elite: -1,
  members: fitnesses.map((fitness, slot) => ({
    slot,
    index: slot,
    parent: null,
    subpopulation: null,
    fitness,
    ...members?.[slot],
    steps: Number.NaN,
    score: null,
    mutation: "",
    hyperparameters: {},
    metrics: {},
    architecture: "",
    learn_steps: Number.NaN,
  })),
  lineage: [],
  seconds,
  steps_per_second: Number.NaN,
  learn_steps_per_second: Number.NaN,
});
