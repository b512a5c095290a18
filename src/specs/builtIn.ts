/** Door: names of what rlkit brings: data sets, texts, models. */
export { CARTPOLE_RULE, FLOWERS } from "./builtInData.ts";
export { TEXT_DATASETS, TEXT_ENVIRONMENTS, TEXT_MODELS, TEXT_RUBRICS } from "./builtInText.ts";
