import { z } from "zod";
import { checkLanguageModel, defineAlgorithm } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import type { LlmDefinition, RolloutAlgorithm } from "./contract.ts";
import { groupAlgorithm } from "./groupAlgorithm.ts";
import { checkGroup, GROUP_FACTS, type GroupObject, groupShape, LOSS } from "./groupChoices.ts";

/** Clipped importance-sampling weights policy optimisation (MiniMax 2025). */
export const CISPOSpec: GroupObject<{
  name: z.ZodDefault<z.ZodLiteral<"CISPO">>;
  loss_type: z.ZodDefault<z.ZodLiteral<"cispo">>;
}> = z
  .strictObject({
    name: field(z.literal("CISPO").default("CISPO"), "Policy optimisation with clipped weights."),
    ...groupShape,
    loss_type: field(z.literal("cispo").default("cispo"), LOSS),
  })
  .superRefine(checkLanguageModel)
  .superRefine(checkGroup);
export type CISPOSpec = z.output<typeof CISPOSpec>;
export type CISPOSpecInput = z.input<typeof CISPOSpec>;

export const CISPO_DEFINITION: LlmDefinition<"CISPO", typeof CISPOSpec, null> =
  /* @__PURE__ */ defineAlgorithm({
    name: "CISPO",
    title: "Policy optimisation with clipped weights",
    schema: CISPOSpec,
    ...GROUP_FACTS,
  });

export const CISPO: RolloutAlgorithm<CISPOSpec> = /* @__PURE__ */ groupAlgorithm(CISPO_DEFINITION);
