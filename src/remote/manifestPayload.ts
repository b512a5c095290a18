/** The manifest of a job, as sent to the platform. */

import {
  algorithmDefinition,
  evolutionSections,
  isDeclared,
  isNetworkMap,
  MutationSpec,
  manifestToObject,
  NetworkSection,
  NO_MUTATION,
  SpecError,
  TournamentSelectionSpec,
  type TrainingManifest,
} from "../manifests/index.ts";
import { isMapping } from "../specs/messages.ts";
import { isPretrained } from "../specs/networks.ts";

/** @throws SpecError for a `selection_strategy` that the platform does not support. */
export function requireTournament(selection: unknown): void {
  if (!isMapping(selection) || selection.strategy !== "multi_frequency") return;
  const segments = ["selection_strategy"];
  const message =
    'found "multi_frequency" (MF-PBT), allowed tournament selection: the platform supports no other; give a TournamentSelectionSpec, or train with LocalTrainer';
  throw new SpecError([{ code: "unsupported", path: "selection_strategy", segments, message }]);
}

/** Whether a network section has only default values. */
function isEmpty(network: TrainingManifest["network"]): boolean {
  if (network === null) return true;
  if (isPretrained(network) || isNetworkMap(network) || isDeclared(network)) return false;
  return JSON.stringify(network) === JSON.stringify(NetworkSection.parse({}));
}

/**
 * Converts a manifest to a plain object for a platform, under the keys of AgileRL. Nulls and
 * an empty network section are left out. A missing mutation section becomes one that mutates nothing, or with
 * `training.hpo` the default mutation, as in a local run. A missing selection becomes a tournament of 2 with
 * elitism. Converting the parsed result again gives the same object.
 *
 * @throws SpecError for multi-frequency selection.
 */
export function manifestPayload(manifest: TrainingManifest): Record<string, unknown> {
  const { algorithm, network, training } = manifest;
  // The relative knows no search, and its usual mutation is none of language models. Their parts are sent.
  const isWritten = training.hpo === "search" || algorithmDefinition(algorithm.name).language_model;
  const { mutation, selection_strategy } = isWritten ? evolutionSections(manifest) : manifest;
  requireTournament(selection_strategy);
  const absent = MutationSpec.parse(training.hpo ? {} : { probabilities: NO_MUTATION });
  return manifestToObject({
    ...manifest,
    mutation: mutation ?? absent,
    selection_strategy: selection_strategy ?? TournamentSelectionSpec.parse({}),
    network: isEmpty(network) ? null : network,
  });
}
