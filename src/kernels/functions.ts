/** Door: functions of tensors, and what programs consist of. */
export { addDims, type Binding, type Dim, mulDims, type Shape, sym } from "./dim.ts";
export { activate, gelu, gumbelSoftmax, logSoftmax, sigmoid } from "./functions/activations.ts";
export * from "./functions/distributions.ts";
export { type ConvolutionOptions, convolution, layerNorm, linear, pad } from "./functions/layers.ts";
export { type LstmParameters, type LstmProducts, lstm, lstmCell } from "./functions/lstm.ts";
export {
  adam,
  clipByGlobalNorm,
  globalNorm,
  lastAdamStep,
  momentName,
  polyak,
  sgd,
  type Update,
} from "./functions/optimizers.ts";
export * from "./functions/random.ts";
export { atomReturns, generalisedAdvantages, projectCategorical } from "./functions/returns.ts";
export { fanFor, SumTree } from "./functions/sumTree.ts";
export * from "./functions/utilities.ts";
export type { Values } from "./op.ts";
export { relu } from "./ops/curves.ts";
export { State, state } from "./state.ts";
export { Tensor } from "./tensor.ts";
