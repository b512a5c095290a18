import { builtInTemplate } from "../../../specs/templates.ts";
import type { KeptModel } from "../../../workers/protocol.ts";
import { manifestText } from "../editor/document/writeManifest.ts";
import { loadText } from "../editor/editorStore.ts";

/** Opens a manifest in the editor that trains an adapter of a model on built-in data, as a starting point. */
export function openManifestFor({ path }: KeptModel): void {
  const { manifest } = builtInTemplate("sft-backwards");
  const network = { ...manifest.network, pretrained_model_name_or_path: path };
  loadText(manifestText({ apiVersion: "agilerl.com/v1", ...manifest, network }, "yaml"), "draft", "yaml");
}
