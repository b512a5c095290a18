/** Ids of built-in language models. Plain names, so that pages need not load models or data to offer them. */
export const TEXT_MODELS = ["rlkit/tiny-digits", "rlkit/tiny-letters"] as const;

/** Text environments, by `entrypoint`. */
export const TEXT_ENVIRONMENTS = [
  "rlkit/ConstantTarget",
  "rlkit/ConditionalTarget",
  "rlkit/MultiInputConditional",
  "rlkit/GridNavigation",
] as const;

/** Rubrics, by `rubric_file_path`. */
export const TEXT_RUBRICS = ["exact_match", "contains", "number"] as const;

export const TEXT_DATASETS = ["rlkit/backwards", "rlkit/polite"] as const;
