/** A member as a model of its own. */
import { type FileStore, joinPath, StorageError } from "../../../storage/index.ts";
import { requireEmpty, writeMerged } from "../../adapters/mergedModel.ts";
import { type MergedAdapter, mergeInto } from "../../adapters/mergedWeight.ts";
import { weightsOf } from "../../models/ModelConfig.ts";
import { modelFiles } from "../../models/modelFiles.ts";
import { companionFiles } from "../../tokenizers/companionFiles.ts";
import { policyShapeOf } from "../AgentOnDevice.ts";
import type { AgentPlan } from "../agentPlan.ts";
import type { PolicyState } from "../PolicyState.ts";
import { roleFiles, weightsOfRole } from "./roleFiles.ts";

/**
 * Writes the actor as a model that needs no adapter: config, weights and the files of the tokenizer.
 * @param dir An empty directory, or one that is not there.
 * @returns the names of the files.
 * @throws StorageError as `writeMerged`.
 */
export async function mergedMember(
  plan: AgentPlan,
  policy: PolicyState,
  { store, dir }: { readonly store: FileStore; readonly dir: string },
): Promise<readonly string[]> {
  const { parts } = plan;
  const { tuning } = policyShapeOf(plan);
  if (tuning.kind === "base") throw new StorageError("io", dir, "the member trains nothing");
  const own = weightsOfRole(policy, "actor");
  const adapter = tuning.kind === "adapter" && { ...tuning.adapter, weights: own };
  if (parts.folder) return writeMerged(parts.folder, parts.config, adapter || own, { store, dir });
  await requireEmpty(store, dir);
  const model = adapter ? builtInFiles(plan, adapter) : roleFiles(plan, policy, "actor");
  const files = new Map([...model, ...(await companionFiles(parts))]);
  // config.json goes last, because a directory without it is not a model.
  const names = [...files.keys()].reverse();
  try {
    for (const name of names) await store.write(joinPath(dir, name), files.get(name) ?? new Uint8Array());
  } catch (error) {
    await store.remove(dir);
    throw error;
  }
  return names;
}

function builtInFiles({ parts }: AgentPlan, adapter: MergedAdapter) {
  const { config, weights, tokenizer } = parts;
  const merged = new Map([...weights].map(([name, values]) => [name, values.slice()]));
  for (const weight of weightsOf(config))
    mergeInto(weight, merged.get(weight.name) ?? new Float32Array(), adapter);
  const { eos_token_id, pad_token_id } = tokenizer;
  return modelFiles(config, merged, { bos_token_id: null, eos_token_id, pad_token_id });
}
