/** Files that a manifest names and that are not here. */
import { builtInDataset } from "../../datasets/reading.ts";
import type { ManifestWarning, TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import { builtInTable } from "../options/banditTable.ts";

/** The fields of an environment that name files or folders; none for what is built in. */
function filesOf({ environment }: TrainingManifest): Readonly<Record<string, string | null>> {
  if (environment.env_type === "offline") {
    const { dataset_path } = environment;
    return dataset_path === null || builtInDataset(dataset_path) ? {} : { dataset_path };
  }
  if (environment.env_type !== "bandit" || builtInTable(environment)) return {};
  const { features, targets } = environment;
  return { features, targets };
}

/** A warning for each data set or table that is not in the store; the run may be meant for another machine. */
export async function missingFiles(
  manifest: TrainingManifest,
  store: FileStore,
): Promise<readonly ManifestWarning[]> {
  const warnings: ManifestWarning[] = [];
  for (const [field, file] of Object.entries(filesOf(manifest)))
    if (file !== null && !(await store.exists(file)))
      warnings.push({
        path: `environment.${field}`,
        message: `is "${file}", and no file or folder is there; a run from here would fail`,
      });
  return warnings;
}
