import { selectionDefinition } from "../../evolution/selections.ts";
import { evolutionSections, SpecError, type TrainingManifest } from "../../manifests/index.ts";
import { sharesSteps } from "../../manifests/sharedSteps.ts";
import type { FileStore } from "../../storage/index.ts";
import {
  dataSpaceIssues,
  dataSpacesOf,
  estimateRun,
  isDataAlone,
  loadPlace,
  tablePlace,
} from "../../training/plan.ts";
import { trainsLanguageModel } from "../../training/workloads.ts";
import type { UserEnvironments } from "../files/userEnvironments.ts";
import type { StartEstimate } from "../protocol/runs.ts";
import { stepsExpected } from "../runs/runSteps.ts";
import { parseInput } from "./parseInput.ts";

/** Whether data without an environment are not here yet, so that nothing is known of their spaces. */
async function unreadData(manifest: TrainingManifest, store: FileStore): Promise<boolean> {
  const issues = await dataSpaceIssues(manifest, store);
  if (issues.length > 0) throw new SpecError(issues, "manifest");
  return dataSpacesOf(manifest) === null;
}

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
  const isUnread = isDataAlone(manifest) && (await unreadData(manifest, store));
  if (!isDataAlone(manifest)) await loadPlace(manifest, store);
  const { algorithm, environment, training } = manifest;
  const members = sharesSteps(algorithm.name) ? 1 : training.pop_size;
  const { selection_strategy: selection } = evolutionSections(manifest);
  const rests = selection !== null && selectionDefinition(selection).finalists !== undefined;
  const needs =
    isUnread || trainsLanguageModel(manifest) ? null : estimateRun(manifest, tablePlace(manifest));
  return {
    algorithm: algorithm.name,
    environment: environment.name ?? "",
    steps: rests ? stepsExpected(manifest, 0, 0) : training.max_steps * members,
    bytes: needs?.total_bytes ?? null,
    population_bytes: needs?.population_bytes ?? null,
    replay_bytes: needs?.replay_bytes ?? null,
  };
}
