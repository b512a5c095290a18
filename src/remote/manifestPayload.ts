/** The manifest of a job, as it goes to the platform. */
import {
  isDeclared,
  isNetworkMap,
  MutationSpec,
  manifestToObject,
  NetworkSection,
  NO_MUTATION,
  SpecError,
  TournamentSelectionSpec,
  type TrainingManifest,
} from "../specs/index.ts";
import { isMapping } from "../specs/isMapping.ts";
import { isPretrained } from "../specs/networks/ManifestNetwork.ts";

/** @throws SpecError naming `selection_strategy` for one that the platform does not run. */
export function requireTournament(selection: unknown): void {
  if (!isMapping(selection) || selection.strategy !== "multi_frequency") return;
  const segments = ["selection_strategy"];
  const message =
    'found "multi_frequency" (MF-PBT), allowed tournament selection: the platform runs no other; give a TournamentSelectionSpec, or train with LocalTrainer';
  throw new SpecError([{ code: "unsupported", path: "selection_strategy", segments, message }]);
}

/** Whether a network section says nothing. */
function isEmpty(network: TrainingManifest["network"]): boolean {
  if (network === null) return true;
  if (isPretrained(network) || isNetworkMap(network) || isDeclared(network)) return false;
  return JSON.stringify(network) === JSON.stringify(NetworkSection.parse({}));
}

/**
 * A manifest as a plain object under the Python relative's keys, for a platform: without nulls; with a mutation section,
 * of which nothing mutates where the manifest has none, and a tournament of 2 with elitism where it has no selection. With
 * `training.hpo`, an absent mutation section is the default mutation, as in a local run. An empty network section is left
 * out. Parsing it and making it again gives the same.
 *
 * @throws SpecError for multi-frequency selection.
 */
export function manifestPayload(manifest: TrainingManifest): Record<string, unknown> {
  const { mutation, selection_strategy, network, training } = manifest;
  requireTournament(selection_strategy);
  const absent = MutationSpec.parse(training.hpo ? {} : { probabilities: NO_MUTATION });
  return manifestToObject({
    ...manifest,
    mutation: mutation ?? absent,
    selection_strategy: selection_strategy ?? TournamentSelectionSpec.parse({}),
    network: isEmpty(network) ? null : network,
  });
}
