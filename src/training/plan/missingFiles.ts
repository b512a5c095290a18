/** Files that a manifest names and that are not here. */
import { builtInDataset } from "../../datasets/reading.ts";
import type { ManifestWarning, TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import { builtInTable } from "../options/banditTable.ts";

const isFile = (path: string | null): path is string => path !== null && !builtInDataset(path);

/** The fields that name files or folders of data, by their paths; none for what is built in. */
function filesOf({ environment, training }: TrainingManifest): Readonly<Record<string, string | null>> {
  const { demonstrations, load_weights_from } = training;
  const shown: Record<string, string | null> = {
    "training.demonstrations": isFile(demonstrations) ? demonstrations : null,
    "training.load_weights_from": load_weights_from,
  };
  if (environment.env_type === "offline") {
    const { dataset_path } = environment;
    return isFile(dataset_path) ? { ...shown, "environment.dataset_path": dataset_path } : shown;
  }
  if (environment.env_type !== "bandit" || builtInTable(environment)) return shown;
  const { features, targets } = environment;
  return { ...shown, "environment.features": features, "environment.targets": targets };
}

/** A warning for each data set or table that is not in the store; the run may be meant for another machine. */
export async function missingFiles(
  manifest: TrainingManifest,
  store: FileStore,
): Promise<readonly ManifestWarning[]> {
  const warnings: ManifestWarning[] = [];
  for (const [path, file] of Object.entries(filesOf(manifest)))
    if (file !== null && !(await store.exists(file)))
      warnings.push({
        path,
        message: `is "${file}", and no file or folder is there; a run from here would fail`,
      });
  return warnings;
}
