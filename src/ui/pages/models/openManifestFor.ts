import { templates } from "../../../specs/templates.ts";
import type { KeptModel } from "../../../workers/protocol.ts";
import { manifestText } from "../editor/document/writeManifest.ts";
import { loadText } from "../editor/editorStore.ts";

/** Opens a manifest in the editor that trains an adapter of a model on built-in data, as a starting point. */
export function openManifestFor({ path }: KeptModel): void {
  const template = templates.find(({ id }) => id === "sft-backwards");
  if (!template) throw new Error('The template "sft-backwards" was not found.');
  const network = { ...template.manifest.network, pretrained_model_name_or_path: path };
  const manifest = { apiVersion: "agilerl.com/v1", ...template.manifest, network };
  loadText(manifestText(manifest, "yaml"), "draft", "yaml");
}
