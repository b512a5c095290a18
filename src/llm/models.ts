/** Door: models, adapters, tokenizers and their folders. */
export { adapterWeightsOf, type LoraSettings, loraSettings } from "./adapters/loraTargets.ts";
export { type Folder, jsonBytes, memoryFolder, storeFolder } from "./files/Folder.ts";
export { builtInModel, builtInModelIds, isBuiltInModel } from "./models/builtin.ts";
export { fetchHubModel, type HubModelListing, hubModelFolder, listHubModel } from "./models/hubModels.ts";
export { foldersOf, loadModelParts, missingHubModel, modelFolder } from "./models/loadModelParts.ts";
export { type LayerKind, type ModelConfig, weightsOf } from "./models/ModelConfig.ts";
export { parseConfig } from "./models/parseConfig.ts";
export { type LoadTokenizerOptions, loadTokenizer } from "./tokenizers/loadTokenizer.ts";
