import { NEXT_DIGIT, NEXT_DIGIT_FIELDS, NEXT_DIGIT_TRAINING } from "./common.ts";
import type { Template } from "./Template.ts";

export const grpoNextDigit: Template = {
  id: "grpo-next-digit",
  title: "Answer with the next digit (GRPO)",
  description: "Four small language models learn from rewards alone which digit follows the given one.",
  manifest: {
    ...NEXT_DIGIT,
    algorithm: { name: "GRPO", batch_size: 16, group_size: 8, ...NEXT_DIGIT_FIELDS },
    training: { ...NEXT_DIGIT_TRAINING, max_steps: 40_960 },
  },
};
