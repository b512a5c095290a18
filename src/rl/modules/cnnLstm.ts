/** Convolutions over an image, flattened, then recurrent layers -> linear -> output activation. */

import { z } from "zod";
import { type Dim, mulDims, reshape, type Tensor } from "../../kernels/index.ts";
import { field } from "../../specs/checks.ts";
import { Activation } from "../../specs/networks.ts";
import { convolutionsData } from "./cnn.ts";
import { convolutionMethods } from "./convolutionMethods.ts";
import {
  CNN_DEFAULTS,
  CNN_RULES,
  Convolutions,
  cnnSettings,
  convolutionNumbers,
  convolutionStackTensors,
  convolutionsKey,
  convolutionWidths,
  convolve,
  flattenedAxes,
  flattenedSize,
  imageNumbers,
} from "./convolutions.ts";
import { defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
import {
  LSTM_DEFAULTS,
  LSTM_RULES,
  LstmData,
  lstm,
  lstmData,
  lstmMemory,
  lstmMethods,
  lstmSettings,
} from "./lstm.ts";
import type { ForwardContext, ModuleDefinition, MutationMethod, Parameters } from "./moduleDefinition.ts";
import { nestedMethods } from "./mutationMethods.ts";
import { storedSize } from "./settings.ts";

const settings = {
  ...cnnSettings,
  ...lstmSettings,
  output_activation: field(
    Activation.nullable().default(null),
    "Activation after the output layer. If unset, that of the convolutions.",
  ),
};
const rules = [...CNN_RULES, ...LSTM_RULES];

/** Convolutions with recurrent layers as an encoder. */
export const cnnLstmArchitecture = {
  ...defineArchitecture({
    arch: "cnn_lstm",
    description: "Convolutions, then recurrent layers.",
    settings,
    rules,
    reads: "image",
    memory: true,
    portable: true,
    resolve: (spec) => ({ ...spec, output_activation: spec.output_activation ?? spec.activation }),
  }),
  inferred: inferredArchitecture({ settings, rules, defaults: { ...CNN_DEFAULTS, ...LSTM_DEFAULTS } }),
};

/** Convolutions over an image, then recurrent layers. */
export const CnnLstmSpec: (typeof cnnLstmArchitecture)["spec"] = cnnLstmArchitecture.spec;
export type CnnLstmSpec = z.output<typeof CnnLstmSpec>;
export type CnnLstmSpecInput = z.input<typeof CnnLstmSpec>;
export type CnnLstmSettings = Omit<CnnLstmSpec, "arch">;

/**
 * Convolutions over an image whose flattened result goes through recurrent layers, as plain data. `inputs` is
 * the number of values in the image.
 */
export const CnnLstmData: z.ZodObject<
  {
    kind: z.ZodLiteral<"cnn_lstm">;
    inputs: z.ZodInt;
    outputs: z.ZodInt;
    cnn: typeof Convolutions;
    lstm: typeof LstmData;
  },
  z.core.$strict
> = z.strictObject({
  kind: z.literal("cnn_lstm"),
  inputs: storedSize,
  outputs: storedSize,
  cnn: Convolutions,
  lstm: LstmData,
});
export type CnnLstmData = Readonly<z.output<typeof CnnLstmData>>;

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

const partMethods = (): readonly MutationMethod<CnnLstmData>[] => [
  ...nestedMethods<CnnLstmData, Convolutions>(CNN, convolutionMethods(), (d) => d.cnn, withCnn),
  ...nestedMethods<CnnLstmData, LstmData>(
    LSTM,
    lstmMethods,
    (d) => d.lstm,
    (d, changed) => ({ ...d, lstm: changed }),
  ),
];
const methods = /* @__PURE__ */ partMethods();

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
