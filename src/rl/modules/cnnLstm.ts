/** Convolutions over an image, flattened, then recurrent layers -> linear -> output activation. */
import { type Dim, mulDims, reshape, type Tensor } from "../../kernels/index.ts";
import { CnnLstmData, type CnnLstmSettings, type Convolutions, type LstmData } from "../../specs/networks.ts";
import { convolutionsData } from "./cnn.ts";
import { convolutionMethods } from "./convolutionMethods.ts";
import {
  convolutionNumbers,
  convolutionStackTensors,
  convolutionsKey,
  convolutionWidths,
  convolve,
  flattenedAxes,
  flattenedSize,
  imageNumbers,
} from "./convolutions.ts";
import { lstm, lstmData, lstmMemory, lstmMethods } from "./lstm.ts";
import type { ForwardContext, ModuleDefinition, MutationMethod, Parameters } from "./moduleDefinition.ts";
import { nestedMethods } from "./nestedMethods.ts";

const CNN = "cnn.";
const LSTM = "lstm.";

/** Data of an encoder, from its settings. */
export function cnnLstmData(
  input_shape: Convolutions["input_shape"],
  outputs: number,
  settings: CnnLstmSettings,
): CnnLstmData {
  const cnn = convolutionsData(input_shape, settings);
  const output_activation = settings.output_activation ?? settings.activation;
  return {
    kind: "cnn_lstm",
    inputs: imageNumbers(input_shape),
    outputs,
    cnn,
    lstm: lstmData(flattenedSize(cnn), outputs, settings, output_activation),
  };
}

const withCnn = (data: CnnLstmData, cnn: Convolutions): CnnLstmData => ({
  ...data,
  cnn,
  lstm: { ...data.lstm, inputs: flattenedSize(cnn) },
});

const methods: readonly MutationMethod<CnnLstmData>[] = [
  ...nestedMethods<CnnLstmData, Convolutions>(CNN, convolutionMethods(), (d) => d.cnn, withCnn),
  ...nestedMethods<CnnLstmData, LstmData>(
    LSTM,
    lstmMethods,
    (d) => d.lstm,
    (d, changed) => ({ ...d, lstm: changed }),
  ),
];

const features = (
  data: CnnLstmData,
  scope: string,
  params: Parameters,
  x: Tensor,
  context?: ForwardContext,
): Tensor => convolve(data.cnn, `${scope}${CNN}`, params, x, context);

export const cnnLstm: ModuleDefinition<CnnLstmData, CnnLstmSettings> = {
  kind: "cnn_lstm",
  schema: CnnLstmData,
  encoder: (observed, outputs, settings) => cnnLstmData(observed.image(), outputs, settings),
  methods: () => methods,
  structureKey: (d) => `cnn_lstm(${convolutionsKey(d.cnn)}, ${lstm.structureKey(d.lstm)})`,
  tensors: (d, scope, ends) => {
    const symbols = ends.symbols ?? scope;
    const cnn = `${symbols}${CNN}`;
    return [
      ...convolutionStackTensors(d.cnn, `${scope}${CNN}`, cnn),
      ...lstm.tensors(d.lstm, `${scope}${LSTM}`, {
        ...ends,
        inputs: flattenedAxes(d.cnn, cnn),
        symbols: `${symbols}${LSTM}`,
      }),
    ];
  },
  widths: (d, scope) => ({
    ...convolutionWidths(d.cnn, `${scope}${CNN}`),
    ...lstm.widths(d.lstm, `${scope}${LSTM}`),
  }),
  forward: (d, scope, params, x, context) =>
    lstm.forward(d.lstm, `${scope}${LSTM}`, params, features(d, scope, params, x, context), context),
  recurrent: {
    memory: (d, scope) => lstmMemory.memory(d.lstm, `${scope}${LSTM}`),
    step: (d, scope, params, x, before, context) => {
      const read = features(d, scope, params, x, context);
      return lstmMemory.step(d.lstm, `${scope}${LSTM}`, params, read, before, context);
    },
    sequence: (d, scope, params, x, before, keep) => {
      const [steps, n, inputs] = x.shape as [Dim, Dim, Dim];
      const rows = features(d, scope, params, reshape(x, [mulDims(steps, n), inputs]));
      const read = reshape(rows, [steps, n, rows.shape[1] as Dim]);
      return lstmMemory.sequence(d.lstm, `${scope}${LSTM}`, params, read, before, keep);
    },
  },
  activation: () => null,
  withActivation: (d) => d,
  withOutputs: (d, outputs) => ({ ...d, outputs, lstm: { ...d.lstm, outputs } }),
  layerNumbers: (d) => convolutionNumbers(d.cnn) + lstm.layerNumbers(d.lstm),
  describe: (d) => `${d.cnn.channel_size.join("-")} ${lstm.describe(d.lstm)}`,
};
