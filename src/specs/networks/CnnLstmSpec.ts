import { z } from "zod";
import { field } from "../field.ts";
import { Activation } from "./Activation.ts";
import { CNN_DEFAULTS, CNN_RULES, Convolutions, cnnSettings } from "./CnnSpec.ts";
import { defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
import { LSTM_DEFAULTS, LSTM_RULES, LstmData, lstmSettings } from "./LstmSpec.ts";
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
export const CnnLstmSpec = cnnLstmArchitecture.spec;
export type CnnLstmSpec = z.output<typeof CnnLstmSpec>;
export type CnnLstmSpecInput = z.input<typeof CnnLstmSpec>;
export type CnnLstmSettings = Omit<CnnLstmSpec, "arch">;

/** Convolutions and recurrent layers with only some settings given. */
export const DeferredCnnLstmSpec = cnnLstmArchitecture.inferred.deferred;
export type DeferredCnnLstmSpec = z.output<typeof DeferredCnnLstmSpec>;

/**
 * Convolutions over an image whose flattened result goes through recurrent layers, as plain data. `inputs` is
 * the number of values in the image.
 */
export const CnnLstmData = z.strictObject({
  kind: z.literal("cnn_lstm"),
  inputs: storedSize,
  outputs: storedSize,
  cnn: Convolutions,
  lstm: LstmData,
});
export type CnnLstmData = Readonly<z.output<typeof CnnLstmData>>;
