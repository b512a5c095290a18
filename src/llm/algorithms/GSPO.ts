import { z } from "zod";
import { checkLanguageModel, defineAlgorithm } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import type { LlmDefinition, RolloutAlgorithm } from "./contract.ts";
import { groupAlgorithm } from "./groupAlgorithm.ts";
import { checkGroup, GROUP_FACTS, type GroupObject, groupShape, LOSS } from "./groupChoices.ts";

/** Group sequence policy optimisation (Zheng et al. 2025). */
export const GSPOSpec: GroupObject<{
  name: z.ZodDefault<z.ZodLiteral<"GSPO">>;
  loss_type: z.ZodDefault<z.ZodLiteral<"gspo">>;
}> = z
  .strictObject({
    name: field(z.literal("GSPO").default("GSPO"), "Group sequence policy optimisation."),
    ...groupShape,
    loss_type: field(z.literal("gspo").default("gspo"), LOSS),
  })
  .superRefine(checkLanguageModel)
  .superRefine(checkGroup);
export type GSPOSpec = z.output<typeof GSPOSpec>;
export type GSPOSpecInput = z.input<typeof GSPOSpec>;

export const GSPO_DEFINITION: LlmDefinition<"GSPO", typeof GSPOSpec, null> = /* @__PURE__ */ defineAlgorithm({
  name: "GSPO",
  title: "Group sequence policy optimisation",
  schema: GSPOSpec,
  ...GROUP_FACTS,
});

export const GSPO: RolloutAlgorithm<GSPOSpec> = /* @__PURE__ */ groupAlgorithm(GSPO_DEFINITION);
