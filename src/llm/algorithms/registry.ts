/** Language-model algorithms. To add one, create a file next to GRPO.ts and add it to both lists. */
import type { z } from "zod";
import { parseFields } from "../../specs/algorithms.ts";
import { CISPO, CISPO_DEFINITION } from "./CISPO.ts";
import type { LlmAlgorithm } from "./contract.ts";
import { DPO, DPO_DEFINITION } from "./DPO.ts";
import { GRPO, GRPO_DEFINITION } from "./GRPO.ts";
import { GSPO, GSPO_DEFINITION } from "./GSPO.ts";
import { KTO, KTO_DEFINITION } from "./KTO.ts";
import { LLMES, LLMES_DEFINITION } from "./LLMES.ts";
import { LLMPPO, LLMPPO_DEFINITION } from "./LLMPPO.ts";
import { LLMREINFORCE, LLMREINFORCE_DEFINITION } from "./LLMREINFORCE.ts";
import { SFT, SFT_DEFINITION } from "./SFT.ts";

export * from "./CISPO.ts";
export * from "./DPO.ts";
export * from "./GRPO.ts";
export * from "./GSPO.ts";
export * from "./KTO.ts";
export * from "./LLMES.ts";
export * from "./LLMPPO.ts";
export * from "./LLMREINFORCE.ts";
export * from "./SFT.ts";

/** What the specs know of them, in the order of lists and messages. */
export const LLM_DEFINITIONS: readonly [
  typeof LLMPPO_DEFINITION,
  typeof LLMREINFORCE_DEFINITION,
  typeof GRPO_DEFINITION,
  typeof GSPO_DEFINITION,
  typeof CISPO_DEFINITION,
  typeof LLMES_DEFINITION,
  typeof DPO_DEFINITION,
  typeof KTO_DEFINITION,
  typeof SFT_DEFINITION,
] = [
  LLMPPO_DEFINITION,
  LLMREINFORCE_DEFINITION,
  GRPO_DEFINITION,
  GSPO_DEFINITION,
  CISPO_DEFINITION,
  LLMES_DEFINITION,
  DPO_DEFINITION,
  KTO_DEFINITION,
  SFT_DEFINITION,
];

/** Their mathematics, by name. */
export const LLM_ALGORITHMS: {
  readonly LLMPPO: typeof LLMPPO;
  readonly LLMREINFORCE: typeof LLMREINFORCE;
  readonly GRPO: typeof GRPO;
  readonly GSPO: typeof GSPO;
  readonly CISPO: typeof CISPO;
  readonly LLMES: typeof LLMES;
  readonly DPO: typeof DPO;
  readonly KTO: typeof KTO;
  readonly SFT: typeof SFT;
} = { LLMPPO, LLMREINFORCE, GRPO, GSPO, CISPO, LLMES, DPO, KTO, SFT };

export type LlmAlgorithmName = keyof typeof LLM_ALGORITHMS;

/** The definition of the algorithm of that name, with its fields and switches as types. */
export type LlmDefinitionNamed<N extends LlmAlgorithmName> = Extract<
  (typeof LLM_DEFINITIONS)[number],
  { readonly name: N }
>;

/** The spec of any language-model algorithm. */
export type LlmSpec = z.output<(typeof LLM_DEFINITIONS)[number]["schema"]>;

/** Parses the spec of an algorithm. @throws SpecError naming invalid fields. */
export const llmSpec = (name: LlmAlgorithmName, fields: object): LlmSpec =>
  // The schema of that name parses it.
  parseFields<z.ZodObject>(LLM_ALGORITHMS[name].spec, { ...fields, name }) as LlmSpec;

const byName: ReadonlyMap<string, LlmAlgorithm<LlmSpec>> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries(LLM_ALGORITHMS),
);

/** The algorithm with this name, or `undefined`. It accepts only specs of its own name. */
export const findLlmAlgorithm = (name: string): LlmAlgorithm<LlmSpec> | undefined => byName.get(name);

/** The metrics that an algorithm's runs report; `undefined` for one that does not train language models. */
export function llmMetricsOf(name: string): readonly string[] | undefined {
  const definition = LLM_DEFINITIONS.find((algorithm) => algorithm.name === name);
  // Batches of algorithms that compare completions of one prompt have the share of groups with equal rewards.
  return definition && "group_size" in definition.schema.shape
    ? [...definition.metrics, "frac_reward_zero_std"]
    : definition?.metrics;
}
