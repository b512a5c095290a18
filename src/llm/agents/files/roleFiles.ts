/** Stores a role's weights as files: an adapter's, or a whole model's. */
import { StorageError } from "../../../storage/index.ts";
import { adapterFiles, loadAdapter } from "../../adapters/peftFiles.ts";
import { type Folder, placeOf } from "../../files/Folder.ts";
import { loadModel, modelFiles } from "../../models/modelFiles.ts";
import { ownName, type Role } from "../../models/WeightSource.ts";
import { AbsentTokenizer } from "../../tokenizers/AbsentTokenizer.ts";
import { policyShapeOf } from "../AgentOnDevice.ts";
import type { AgentPlan } from "../agentPlan.ts";
import { DEFAULT_LORA, type PolicyState } from "../PolicyState.ts";

const ADAPTER = "adapter_config.json";
const WHOLE = "config.json";

const isWhole = (plan: AgentPlan): boolean => policyShapeOf(plan).tuning.kind === "whole";

/** A role's weights in a policy, under their names in files. */
export const weightsOfRole = (policy: PolicyState, role: Role): Map<string, Float32Array> =>
  new Map(
    Object.entries(policy)
      .filter(([name]) => name.startsWith(ownName(role, "")))
      .map(([name, values]) => [name.slice(ownName(role, "").length), values]),
  );

/** The plan's adapter in the form that PEFT files are written from. */
export const adapterOfRole = ({ parts, lora }: AgentPlan, policy: PolicyState, role: Role) => ({
  lora: lora ?? DEFAULT_LORA,
  base_model: parts.id,
  weights: weightsOfRole(policy, role),
});

/** Files of a role by name. */
export function roleFiles(plan: AgentPlan, policy: PolicyState, role: Role): Map<string, Uint8Array> {
  const { config, tokenizer } = plan.parts;
  if (!isWhole(plan)) return adapterFiles(config, adapterOfRole(plan, policy, role));
  const weights = weightsOfRole(policy, role);
  if (tokenizer instanceof AbsentTokenizer) return modelFiles(config, weights);
  const { eos_token_id, pad_token_id } = tokenizer;
  return modelFiles(config, weights, { bos_token_id: null, eos_token_id, pad_token_id });
}

/** Whether a folder contains a role's weights. */
export const hasRole = async (folder: Folder): Promise<boolean> =>
  (await folder.readFile(ADAPTER)) !== null || (await folder.readFile(WHOLE)) !== null;

export interface RoleWeights {
  readonly weights: ReadonlyMap<string, Float32Array>;
  readonly warnings: readonly string[];
}

/**
 * @throws StorageError for files that are missing, damaged, or of an agent with the other training mode;
 *   SpecError for an adapter with other settings or another base.
 */
export async function readRole(folder: Folder, { parts, lora, ...plan }: AgentPlan): Promise<RoleWeights> {
  const whole = isWhole({ parts, lora, ...plan });
  const [due, other] = whole ? [WHOLE, ADAPTER] : [ADAPTER, WHOLE];
  if ((await folder.readFile(due)) === null && (await folder.readFile(other)) !== null) {
    const advice = whole
      ? "the agent trains the whole model; create it with the adapter's lora_config"
      : "the agent trains an adapter; set full_finetuning in place of lora_config to train the whole model";
    throw new StorageError("not_found", placeOf(folder, due), `found ${other} in its place; ${advice}`);
  }
  if (!whole) return loadAdapter(folder, parts.config, { base_model: parts.id, lora: lora ?? DEFAULT_LORA });
  const { config, weights } = await loadModel(folder);
  for (const [field, allowed] of Object.entries(parts.config)) {
    const found = JSON.stringify(config[field as keyof typeof config]);
    if (found !== JSON.stringify(allowed))
      throw new StorageError(
        "corrupt",
        placeOf(folder, WHOLE),
        `${field}: found ${found}, allowed ${JSON.stringify(allowed)}, that of ${parts.id}`,
      );
  }
  return { weights, warnings: [] };
}
