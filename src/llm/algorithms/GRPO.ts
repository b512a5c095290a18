import { z } from "zod";
import { checkLanguageModel, defineAlgorithm } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import type { LlmDefinition, RolloutAlgorithm } from "./contract.ts";
import { groupAlgorithm } from "./groupAlgorithm.ts";
import { checkClip, GROUP_FACTS, groupShape, LOSS } from "./groupChoices.ts";

/** Group relative policy optimisation (Shao et al. 2024). */
export const GRPOSpec = z
  .strictObject({
    name: field(z.literal("GRPO").default("GRPO"), "Group relative policy optimisation."),
    ...groupShape,
    loss_type: field(z.enum(["grpo", "gspo", "cispo"]).default("grpo"), LOSS),
  })
  .superRefine(checkLanguageModel)
  .superRefine(checkClip);
export type GRPOSpec = z.output<typeof GRPOSpec>;
export type GRPOSpecInput = z.input<typeof GRPOSpec>;

export const GRPO_DEFINITION: LlmDefinition<"GRPO", typeof GRPOSpec, null> = /* @__PURE__ */ defineAlgorithm({
  name: "GRPO",
  title: "Group relative policy optimisation",
  schema: GRPOSpec,
  ...GROUP_FACTS,
});

export const GRPO: RolloutAlgorithm<GRPOSpec> = /* @__PURE__ */ groupAlgorithm(GRPO_DEFINITION);
