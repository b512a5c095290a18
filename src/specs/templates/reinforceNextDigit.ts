import { NEXT_DIGIT, NEXT_DIGIT_FIELDS, NEXT_DIGIT_TRAINING } from "./common.ts";
import type { Template } from "./Template.ts";

export const reinforceNextDigit: Template = {
  id: "llmreinforce-next-digit",
  title: "Answer with the next digit (LLMREINFORCE)",
  description: "The same task without groups: each answer counts against the mean of its batch.",
  manifest: {
    ...NEXT_DIGIT,
    algorithm: { name: "LLMREINFORCE", batch_size: 128, ...NEXT_DIGIT_FIELDS },
    training: { ...NEXT_DIGIT_TRAINING, max_steps: 65_536 },
  },
};
