/** The registered workloads, by name. */

import { notTrained } from "../../agents/members.ts";
import type { SpecIssue, TrainingManifest } from "../../manifests/index.ts";
import type { Kinds } from "../loop/Workload.ts";
import type { WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import { languageModels } from "./languageModels.ts";
import { reinforcementLearning } from "./reinforcementLearning.ts";

const workloads = new Map<string, WorkloadDefinition>();

/**
 * Registers a workload. Registering the same definition again has no effect.
 * @throws Error for a name that is already taken.
 *
 * @example
 * ```ts
 * declare const mine: WorkloadDefinition; // members, turns and files of another kind of run
 * registerWorkload(mine);
 * ```
 */
export function registerWorkload<K extends Kinds>(definition: WorkloadDefinition<K>): void {
  const known = workloads.get(definition.name);
  if (known && known !== definition)
    throw new Error(`workload: found a second workload named "${definition.name}"; give it another name`);
  workloads.set(definition.name, definition);
}

registerWorkload(reinforcementLearning);
registerWorkload(languageModels);

export const listWorkloads = (): readonly string[] => [...workloads.keys()];

export const findWorkload = (name: string): WorkloadDefinition | undefined => workloads.get(name);

/** @throws Error for an unknown name. */
export function requireWorkload(name: string): WorkloadDefinition {
  const found = workloads.get(name);
  if (found) return found;
  throw new Error(
    `workload: found "${name}", registered are ${listWorkloads().join(", ")}; import the module that registers it`,
  );
}

/** The workload that trains a manifest's algorithm; undefined if none does. */
export const trainedBy = (manifest: TrainingManifest): WorkloadDefinition | undefined =>
  [...workloads.values()].find(({ runs }) => runs.trains(manifest));

/** The workload that trains a manifest's algorithm. @throws SpecError if none does. */
export function workloadOf(manifest: TrainingManifest): WorkloadDefinition {
  const found = trainedBy(manifest);
  if (found) return found;
  throw notTrained(manifest.algorithm.name);
}

/** Issues that keep a manifest's run from starting although each of its fields is valid. */
export const workloadIssues = (manifest: TrainingManifest): readonly SpecIssue[] =>
  // For an algorithm that no workload trains, reinforcement learning reports the issue.
  (trainedBy(manifest) ?? reinforcementLearning).runs.issues(manifest);
