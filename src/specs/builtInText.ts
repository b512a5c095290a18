/** Ids of what is built in for language models. By name, so that pages may offer them without models and data. */
export const TEXT_MODELS = ["rlkit/tiny-digits", "rlkit/tiny-letters"] as const;

/** Environments of texts, by `entrypoint`. */
export const TEXT_ENVIRONMENTS = [
  "rlkit/ConstantTarget",
  "rlkit/ConditionalTarget",
  "rlkit/MultiInputConditional",
  "rlkit/GridNavigation",
] as const;

export const TEXT_DATASETS = ["rlkit/backwards", "rlkit/polite"] as const;
