import { templates } from "../../../specs/templates.ts";
import type { KeptDataset } from "../../../workers/pages.ts";
import { manifestText } from "../editor/document/writeManifest.ts";
import { loadText } from "../editor/editorStore.ts";

/** Opens a manifest in the editor that trains on a data set, as a starting point. */
export function openManifestFor({ name, kind, environment }: KeptDataset): void {
  const wanted = kind === "table" ? "neural-ucb-flowers" : "cqn-cartpole";
  const template = templates.find(({ id }) => id === wanted);
  if (!template) throw new Error(`The template "${wanted}" was not found.`);
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
