/** The plan of a manifest's agents, with the parts of their base model. */

import { findLlmAlgorithm } from "../../llm/algorithms.ts";
import type { AgentPlan } from "../../llm/members.ts";
import { type Folder, type LoadTokenizerOptions, loadModelParts, loadTokenizer } from "../../llm/models.ts";
import type { TrainingManifest } from "../../manifests/index.ts";
import { llmPlanOf } from "./llmPlan.ts";

interface CheckedModel {
  /** Names of the files that a run reads, and of those that name a licence. */
  readonly files: readonly string[];
  /** Warnings for the owner of the model. */
  readonly warnings: readonly string[];
}

/** Files that may name a model's licence: its card, and the licence itself. */
export const LICENCE_FILES = ["README.md", "LICENSE"] as const;

/** Reads a folder's model and tokenizer as a run does. @throws Any error from reading them. */
export async function checkModelFolder(folder: Folder): Promise<CheckedModel> {
  const files = new Set<string>();
  const noting: Folder = {
    path: folder.path,
    async readFile(name) {
      const bytes = await folder.readFile(name);
      if (bytes !== null) files.add(name);
      return bytes;
    },
    async openFile(name) {
      const file = await folder.openFile(name);
      if (file !== null) files.add(name);
      return file;
    },
  };
  const { warnings } = await loadModelParts(folder.path, () => noting);
  // A run does not read them, but its owner may want to.
  for (const name of LICENCE_FILES) await noting.readFile(name);
  return { files: [...files], warnings };
}

/**
 * @param folderOf Finds the folder of a base model by its path.
 * @param options Options of its tokenizer.
 * @throws Error for a manifest that names no base model; also any error from reading the model.
 */
export async function agentPlanOf(
  manifest: TrainingManifest,
  folderOf: (path: string) => Folder | Promise<Folder>,
  options: LoadTokenizerOptions = {},
): Promise<AgentPlan> {
  const { spec, lora, model, weight_storage } = llmPlanOf(manifest);
  const algorithm = findLlmAlgorithm(spec.name);
  if (!algorithm)
    throw new TypeError(`algorithm: found "${spec.name}", which does not train language models`);
  if (model === null) throw new Error("network.pretrained_model_name_or_path: missing; name a base model");
  const parts = await loadModelParts(model, folderOf, (folder) => loadTokenizer(folder, options));
  return { parts, algorithm, spec, lora, weight_storage };
}
