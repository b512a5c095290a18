import type { LoraSettings } from "../adapters/loraTargets.ts";
import type { LlmAlgorithm } from "../algorithms/contract.ts";
import type { LlmSpec } from "../algorithms/registry.ts";
import type { WeightStorage } from "../engine/ModelOnDevice.ts";
import type { ModelParts } from "../models/loadModelParts.ts";

/** Determines the buffers of an agent; the same for all members of a population. */
export interface AgentPlan {
  readonly parts: ModelParts;
  readonly algorithm: LlmAlgorithm<LlmSpec>;
  readonly spec: LlmSpec;
  readonly lora: LoraSettings | null;
  /** How devices keep a base from files (default: "f32"). */
  readonly weight_storage?: WeightStorage;
}
