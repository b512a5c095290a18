/** Language-model algorithms by name. */
import type { DPOSpec, LLMPPOSpec, LLMREINFORCESpec, SFTSpec } from "../../specs/index.ts";
import type { DatasetAlgorithm, LlmAlgorithm, RolloutAlgorithm } from "./contract.ts";
import { DPO } from "./DPO.ts";
import { GRPO } from "./GRPO.ts";
import type { GroupSpec } from "./groupChoices.ts";
import { LLMPPO } from "./LLMPPO.ts";
import { LLMREINFORCE } from "./LLMREINFORCE.ts";
import { SFT } from "./SFT.ts";

/** The algorithms of this build. GSPO and CISPO are GRPO with another loss, which their specs select. */
export const LLM_ALGORITHMS: {
  readonly GRPO: RolloutAlgorithm<GroupSpec>;
  readonly GSPO: RolloutAlgorithm<GroupSpec>;
  readonly CISPO: RolloutAlgorithm<GroupSpec>;
  readonly LLMPPO: RolloutAlgorithm<LLMPPOSpec>;
  readonly LLMREINFORCE: RolloutAlgorithm<LLMREINFORCESpec>;
  readonly DPO: DatasetAlgorithm<DPOSpec>;
  readonly SFT: DatasetAlgorithm<SFTSpec>;
} = { GRPO, GSPO: GRPO, CISPO: GRPO, LLMPPO, LLMREINFORCE, DPO, SFT };

export type LlmAlgorithmName = keyof typeof LLM_ALGORITHMS;

/** The spec of any language-model algorithm. */
export type LlmSpec = GroupSpec | LLMPPOSpec | LLMREINFORCESpec | DPOSpec | SFTSpec;

const byName: ReadonlyMap<string, LlmAlgorithm<LlmSpec>> = new Map(Object.entries(LLM_ALGORITHMS));

/** The algorithm with this name, or `undefined`. It accepts only specs of its own name. */
export const findLlmAlgorithm = (name: string): LlmAlgorithm<LlmSpec> | undefined => byName.get(name);
