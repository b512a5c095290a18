import { builtInTemplate } from "../../../specs/templates.ts";
import type { KeptDataset } from "../../../workers/pages.ts";
import { manifestText } from "../editor/document/writeManifest.ts";
import { loadText } from "../editor/editorStore.ts";

/** Opens a manifest in the editor that trains on a data set, as a starting point. */
export function openManifestFor({ name, kind, environment }: KeptDataset): void {
  const template = builtInTemplate(kind === "table" ? "neural-ucb-flowers" : "cqn-cartpole");
  const { target_score: _, ...training } = template.manifest.training ?? {};
  const path = `datasets/${name}`;
  const place =
    kind === "table"
      ? { name: "Table", features: `${path}/features.csv`, targets: `${path}/targets.csv` }
      : { name: environment ?? template.manifest.environment.name, dataset_path: path };
  const manifest = {
    apiVersion: "agilerl.com/v1",
    ...template.manifest,
    training,
    environment: { ...template.manifest.environment, ...place },
  };
  loadText(manifestText(manifest, "yaml"), "draft", "yaml");
}
