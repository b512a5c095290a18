import { selectionDefinition } from "../../evolution/selections.ts";
import { evolutionSections } from "../../manifests/index.ts";
import { sharesSteps } from "../../manifests/sharedSteps.ts";
import type { FileStore } from "../../storage/index.ts";
import { estimateRun, loadTable, tablePlace } from "../../training/plan.ts";
import { trainsLanguageModel } from "../../training/workloads.ts";
import type { UserEnvironments } from "../files/userEnvironments.ts";
import type { StartEstimate } from "../protocol/runs.ts";
import { stepsExpected } from "../runs/runSteps.ts";
import { parseInput } from "./parseInput.ts";

export interface EstimateParts {
  /** The store of a bandit's table. */
  readonly store: FileStore;
  readonly environments: UserEnvironments;
}

/**
 * Estimates the steps and memory that a manifest's text needs, by arithmetic. The memory of language models
 * is unknown before they are loaded.
 * @throws SpecError listing every problem
 */
export async function estimateStart(
  text: string,
  { store, environments }: EstimateParts,
): Promise<StartEstimate> {
  const manifest = await parseInput(text, environments);
  await loadTable(manifest, store);
  const { algorithm, environment, training } = manifest;
  const members = sharesSteps(algorithm.name) ? 1 : training.pop_size;
  const { selection_strategy: selection } = evolutionSections(manifest);
  const rests = selection !== null && selectionDefinition(selection).finalists !== undefined;
  const needs = trainsLanguageModel(manifest) ? null : estimateRun(manifest, tablePlace(manifest));
  return {
    algorithm: algorithm.name,
    environment: environment.name ?? "",
    steps: rests ? stepsExpected(manifest, 0, 0) : training.max_steps * members,
    bytes: needs?.total_bytes ?? null,
    population_bytes: needs?.population_bytes ?? null,
    replay_bytes: needs?.replay_bytes ?? null,
  };
}
