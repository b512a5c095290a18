/** Options of language-model agents. */

import type { z } from "zod";
import type { HyperparameterConfig } from "../../../evolution/index.ts";
import { requireOptions } from "../../../specs/checks.ts";
import type { LoraAdapter } from "../../adapters/LoraAdapter.ts";
import { loraSettings } from "../../adapters/loraTargets.ts";
import {
  LLM_ALGORITHMS,
  type LlmAlgorithmName,
  type LlmDefinitionNamed,
  type LlmSpec,
  llmSpec,
} from "../../algorithms/registry.ts";
import { LanguageModel } from "../../inference/LanguageModel.ts";
import { ownName } from "../../models/WeightSource.ts";
import { beginsInFolder, initialPolicy } from "../AgentOnDevice.ts";
import type { AgentPlan } from "../agentPlan.ts";
import { firstMember, type LlmMember } from "../LlmMember.ts";
import type { PolicyState } from "../PolicyState.ts";
import { idleFields, specFaults } from "../specFaults.ts";

/** Options of an agent in addition to the fields of its algorithm's spec. */
export interface LanguageAgentContext {
  /** The base model. The agent does not change it, and several agents can share it. */
  readonly actor_network: LanguageModel;
  /** Initial adapter, whose settings then replace `lora_config`. */
  readonly adapter?: LoraAdapter | null;
  /** Identity (default: 0). Agents with the same seed and different indices have different adapters. */
  readonly index?: number;
  /** Hyperparameters that may mutate (default: none). */
  readonly hp_config?: HyperparameterConfig | null;
}

/** Options of an agent's constructor. */
export type LanguageAgentOptions<N extends LlmAlgorithmName> = LanguageAgentContext &
  Omit<z.input<LlmDefinitionNamed<N>["schema"]>, "name" | "pretrained_model_name_or_path">;

/** Initial state of an agent. */
export interface AgentStart {
  readonly model: LanguageModel;
  readonly plan: AgentPlan;
  readonly member: LlmMember;
  readonly hp_config: HyperparameterConfig | null;
  readonly warnings: readonly string[];
}

/** The plan of an agent with this spec. */
export const planOf = (model: LanguageModel, spec: LlmSpec, lora: AgentPlan["lora"]): AgentPlan => ({
  parts: model.parts,
  // A registry entry accepts specs of its own name, which this one has.
  algorithm: LLM_ALGORITHMS[spec.name] as AgentPlan["algorithm"],
  spec,
  lora,
});

/**
 * @throws SpecError for fields that the spec does not allow, and for an adapter that does not fit; TypeError
 *   or RangeError naming an invalid option.
 */
export function startOf(name: LlmAlgorithmName, options: LanguageAgentContext): AgentStart {
  requireOptions(name, options, { example: "{ actor_network: await LanguageModel.load(path) }" });
  const { actor_network: model, adapter = null, index = 0, hp_config: given = null, ...fields } = options;
  if (!(model instanceof LanguageModel))
    throw new TypeError(
      `${name}.actor_network: found ${typeof model}, allowed a LanguageModel: await LanguageModel.load(path)`,
    );
  const spec = llmSpec(name, fields);
  const [fault] = specFaults(spec);
  if (fault) throw new RangeError(`${name}.${fault.field.join(".")}: ${fault.message}`);
  const beside = spec.lora_config !== null ? "lora_config" : spec.full_finetuning ? "full_finetuning" : null;
  if (adapter !== null && beside !== null)
    throw new RangeError(
      `${name}.${beside}: not allowed together with adapter, which has its own settings; remove one of the two`,
    );
  const loaded = adapter?.for(model.config, { base_model: model.id }) ?? null;
  const own = spec.lora_config && loraSettings(spec.lora_config);
  const plan = planOf(model, spec, loaded?.lora ?? own);
  // Weights of a folder are read with the first use.
  const first = beginsInFolder(plan) ? {} : initialPolicy(plan, spec.seed + index);
  const member = { ...firstMember(spec, index), policy: loaded ? beginningAt(first, loaded.weights) : first };
  const hp_config = given?.check(member.hyperparameters, plan.algorithm.spec) ?? null;
  const idle = idleFields(spec).map((field) => `${name}.${field}`);
  const warnings = idle.length === 0 ? [] : [`${idle.join(", ")}: no effect for language models`];
  return { model, plan, member, hp_config, warnings: [...warnings, ...(loaded?.warnings ?? [])] };
}

/** Replaces the actor of a first policy by an adapter, and the reference if there is one. */
function beginningAt(first: PolicyState, adapter: ReadonlyMap<string, Float32Array>): PolicyState {
  const policy: Record<string, Float32Array> = { ...first };
  for (const [name, values] of adapter) {
    policy[ownName("actor", name)] = values.slice();
    const reference = ownName("reference", name);
    if (reference in policy) policy[reference] = values.slice();
  }
  return policy;
}
