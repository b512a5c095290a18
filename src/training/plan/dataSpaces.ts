/** The place of a run that learns from data alone: the spaces of its data set. */

import { type DatasetSpaces, spacesOfData } from "../../datasets/index.ts";
import { DatasetError } from "../../datasets/reading.ts";
import type { TrainingManifest } from "../../manifests/index.ts";
import { dataAloneOptions } from "../../rl/environments.ts";
import type { EnvironmentOptions } from "../../rl/faces.ts";
import { dottedPath, SpecError, type SpecIssue } from "../../specs/checks.ts";
import { NO_ENVIRONMENT } from "../../specs/sections.ts";
import type { FileStore } from "../../storage/index.ts";
import { datasetPlaceOf, openGiven } from "../options/datasetOption.ts";
import { missingFiles } from "./missingFiles.ts";

/** Spaces of data sets read in this thread, by their places, because planning is synchronous but reading is not. */
const known = new Map<string, DatasetSpaces>();

const keyOf = (manifest: TrainingManifest): string => {
  const { dataset_path, hub_dataset_id } = datasetPlaceOf(manifest);
  return JSON.stringify([dataset_path ?? null, dataset_path ? null : (hub_dataset_id ?? null)]);
};

/** Whether a manifest's agents learn from a data set, and have no environment. */
export const isDataAlone = ({ environment }: Pick<TrainingManifest, "environment">): boolean =>
  environment.env_type === "offline" && environment.name === NO_ENVIRONMENT;

/** The spaces of such a manifest's data set; null for other manifests, and if the data were not read. */
export const dataSpacesOf = (manifest: TrainingManifest): DatasetSpaces | null =>
  isDataAlone(manifest) ? (known.get(keyOf(manifest)) ?? null) : null;

/** @throws SpecError for data that were not read in this thread. */
export function requireDataSpaces(manifest: TrainingManifest): EnvironmentOptions {
  const spaces = dataSpacesOf(manifest);
  if (spaces) return dataAloneOptions(spaces);
  const { dataset_path } = datasetPlaceOf(manifest);
  throw refuse(
    manifest,
    `${dataset_path ? `found "${dataset_path}", which` : "names data whose file"} has not been opened; LocalTrainer.fromManifest, rlkit train and the workbench open it`,
  );
}

/**
 * Reads the spaces of the data set of a manifest without an environment. Does nothing for other manifests.
 * @param remote Whether to download data that the manifest allows to (default: true).
 * @throws SpecError for a data set that cannot be read, or whose spaces cannot be inferred.
 */
export async function loadDataSpaces(
  manifest: TrainingManifest,
  store?: FileStore,
  remote = true,
): Promise<void> {
  const place = datasetPlaceOf(manifest);
  if (!isDataAlone(manifest) || !(place.dataset_path || place.hub_dataset_id)) return;
  known.delete(keyOf(manifest));
  try {
    const own = { ...place, remote: remote && place.remote === true };
    const { dataset, close } = await openGiven(own, { store });
    try {
      known.set(keyOf(manifest), spacesOfData(dataset));
    } finally {
      close();
    }
  } catch (error) {
    throw error instanceof DatasetError ? refuse(manifest, error.message) : error;
  }
}

/** The issues of the data set of such a manifest. None for one that is not here, as the run may be for another machine. */
export async function dataSpaceIssues(
  manifest: TrainingManifest,
  store: FileStore,
): Promise<readonly SpecIssue[]> {
  const { dataset_path } = datasetPlaceOf(manifest);
  try {
    await loadDataSpaces(manifest, store, false);
    return [];
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const isHere = dataset_path ? (await missingFiles(manifest, store)).length === 0 : false;
    return isHere ? error.issues : [];
  }
}

function refuse(manifest: TrainingManifest, message: string): SpecError {
  const { dataset_path } = datasetPlaceOf(manifest);
  const segments = ["environment", dataset_path ? "dataset_path" : "hub_dataset_id"];
  return new SpecError([{ code: "value", path: dottedPath(segments), segments, message }], "manifest");
}
