import { builtInTemplate, type TemplateId } from "../../manifests/templates.ts";

/** The manifest of a template, as a starting point for one that trains on stored data, or a stored model. */
export const templateManifest = (id: TemplateId) => ({
  apiVersion: "agilerl.com/v1",
  ...builtInTemplate(id).manifest,
});

/**
 * A manifest that trains a model on built-in data. It also opens the model for a conversation, for which the data does
 * not matter.
 *
 * @param path The model's path in manifests.
 */
export function manifestForModel(path: string): object {
  const manifest = templateManifest("sft-backwards");
  return { ...manifest, network: { ...manifest.network, pretrained_model_name_or_path: path } };
}
