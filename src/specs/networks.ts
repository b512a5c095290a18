/** Door: schemas of networks. */
export { Activation } from "./networks/Activation.ts";
export { findArchitecture, listArchitectures, mutatedSettings } from "./networks/architectures.ts";
export { CnnLstmData, type CnnLstmSettings } from "./networks/CnnLstmSpec.ts";
export {
  CNN_DEFAULTS,
  CNN_MODULE_DEFAULTS,
  CnnData,
  type CnnSettings,
  CnnSpec,
  type CnnSpecInput,
  Convolutions,
} from "./networks/CnnSpec.ts";
export {
  type ArchitectureDefinition,
  defineArchitecture,
  type ObservationKind,
} from "./networks/defineArchitecture.ts";
export { registerArchitecture } from "./networks/EncoderSpec.ts";
export { LoraConfigDict } from "./networks/LoraConfigDict.ts";
export { LSTM_MODULE_DEFAULTS, LstmData, type LstmSettings } from "./networks/LstmSpec.ts";
export { isPretrained } from "./networks/ManifestNetwork.ts";
export {
  DuelingData,
  MLP_ENCODER_DEFAULTS,
  MLP_MODULE_DEFAULTS,
  MlpData,
  type MlpSettings,
  MlpSpec,
  type MlpSpecInput,
} from "./networks/MlpSpec.ts";
export {
  MULTI_INPUT_DEFAULTS,
  MultiInputData,
  type MultiInputPart,
  type MultiInputSettings,
} from "./networks/MultiInputSpec.ts";
export type { LayerStructure, NetworkStructure } from "./networks/NetworkStructure.ts";
export { RESNET_MODULE_DEFAULTS, ResnetData, type ResnetSettings } from "./networks/ResnetSpec.ts";
export { SIMBA_MODULE_DEFAULTS, SimbaData, type SimbaSettings } from "./networks/SimbaSpec.ts";
export { storedBound, storedFields, storedImage, storedSize } from "./networks/settings.ts";
export type { BoundsRule, SizeRule, StackRule } from "./networks/sizeBounds.ts";
