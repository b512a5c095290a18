import { z } from "zod";
import { checkLanguageModel, defineAlgorithm } from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import type { LlmDefinition, RolloutAlgorithm } from "./contract.ts";
import { groupAlgorithm } from "./groupAlgorithm.ts";
import { checkGroup, GROUP_FACTS, type GroupObject, groupShape, LOSS, NORMALISED } from "./groupChoices.ts";

const loss_type = field(
  z.enum(["grpo", "gspo", "cispo", ...NORMALISED]).default("grpo"),
  `${LOSS} grpo, gspo and cispo average it as loss_norm says. bnpo averages GRPO's over the tokens of the micro-batch, dapo over those of the whole batch, dr_grpo over max_output_tokens tokens per sequence (max_model_len if unset).`,
  { rlkit_only: NORMALISED },
);

/** Group relative policy optimisation (Shao et al. 2024). */
export const GRPOSpec: GroupObject<{
  name: z.ZodDefault<z.ZodLiteral<"GRPO">>;
  loss_type: typeof loss_type;
}> = z
  .strictObject({
    name: field(z.literal("GRPO").default("GRPO"), "Group relative policy optimisation."),
    ...groupShape,
    loss_type,
  })
  .superRefine(checkLanguageModel)
  .superRefine(checkGroup);
export type GRPOSpec = z.output<typeof GRPOSpec>;
export type GRPOSpecInput = z.input<typeof GRPOSpec>;

export const GRPO_DEFINITION: LlmDefinition<"GRPO", typeof GRPOSpec, null> = /* @__PURE__ */ defineAlgorithm({
  name: "GRPO",
  title: "Group relative policy optimisation",
  schema: GRPOSpec,
  ...GROUP_FACTS,
});

export const GRPO: RolloutAlgorithm<GRPOSpec> = /* @__PURE__ */ groupAlgorithm(GRPO_DEFINITION);
