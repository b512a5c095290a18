import { builtInTemplate, type TemplateId } from "../../../manifests/templates.ts";
import { type ManifestFormat, manifestFormat } from "../../../manifests/text.ts";
import type { KeptDataset } from "../../../workers/pages.ts";
import type { KeptModel } from "../../../workers/protocol.ts";
import { readManifest } from "./document/ManifestDocument.ts";
import { manifestText } from "./document/writeManifest.ts";
import { loadText } from "./editorStore.ts";

/** Larger files are not taken for manifests. */
const MAX_BYTES = 1_000_000;

/**
 * Opens a file in the editor, which shows errors within the manifest at their lines.
 *
 * @returns the format of its text
 * @throws Error for a file that is not a manifest; the editor then keeps its text
 */
export async function importManifest(file: File): Promise<ManifestFormat> {
  const refuse = (reason: string): Error =>
    new Error(`${file.name} was not imported: ${reason}. A manifest is a text file in YAML or JSON.`);
  if (file.size > MAX_BYTES) throw refuse("it is larger than 1 MB");
  const text = await file.text();
  if (/[\0\uFFFD]/.test(text)) throw refuse("it is not a text file");
  const read = readManifest(text, file.name);
  if (!read.ok) throw refuse(`it is not a valid YAML or JSON manifest (line ${read.line}: ${read.message})`);
  if (Object.keys(read.manifest.values).length === 0) throw refuse("it is empty");
  return openText(text);
}

/** Opens a manifest's text in the editor, as a draft. @returns its format */
export function openText(text: string): ManifestFormat {
  const format = manifestFormat(text);
  loadText(text, "draft", format);
  return format;
}

/** Opens a manifest object in the editor, as a draft. */
export const openDraft = (manifest: object): void =>
  loadText(manifestText(manifest, "yaml"), "draft", "yaml");

/** The manifest of a template, as a starting point for one that trains on stored data. */
const templateManifest = (id: TemplateId) => ({
  apiVersion: "agilerl.com/v1",
  ...builtInTemplate(id).manifest,
});

/** Opens a manifest in the editor that trains on a data set, as a starting point. */
export function openManifestForDataset({ name, kind, environment }: KeptDataset): void {
  const manifest = templateManifest(kind === "table" ? "neural-ucb-flowers" : "cqn-cartpole");
  const { target_score: _, ...training } = manifest.training ?? {};
  const path = `datasets/${name}`;
  const place =
    kind === "table"
      ? { name: "Table", features: `${path}/features.csv`, targets: `${path}/targets.csv` }
      : { name: environment ?? manifest.environment.name, dataset_path: path };
  openDraft({ ...manifest, training, environment: { ...manifest.environment, ...place } });
}

/** Opens a manifest in the editor that trains an adapter of a model on built-in data, as a starting point. */
export function openManifestForModel({ path }: KeptModel): void {
  const manifest = templateManifest("sft-backwards");
  openDraft({ ...manifest, network: { ...manifest.network, pretrained_model_name_or_path: path } });
}
