/** Opens the rows of a manifest as its model reads them, without the model's weights. */
import { DataViewer, hasRows } from "../../llm/environments.ts";
import type { TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import { modelFoldersOf } from "./modelFolders.ts";

/**
 * @returns Null for a manifest whose environment has no rows.
 * @throws Any error from reading the model's folder or the rows.
 */
export async function openData(manifest: TrainingManifest, store: FileStore): Promise<DataViewer | null> {
  const { environment } = manifest;
  const isText = environment.env_type === "dataset" || environment.env_type === "rollout";
  if (!isText || !hasRows(environment)) return null;
  const { parts, spec } = await agentPlanOf(manifest, modelFoldersOf(store));
  const { max_output_tokens = null } = spec as { readonly max_output_tokens?: number | null };
  return DataViewer.open(environment, {
    tokenizer: parts.tokenizer,
    max_model_len: Math.min(parts.config.max_position_embeddings, spec.max_model_len),
    max_output_tokens,
    store,
  });
}
