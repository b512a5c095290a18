import { z } from "zod";
import { field } from "../field.ts";
import { Activation } from "./Activation.ts";
import { CNN_DEFAULTS, checkCnn, cnnShape } from "./CnnSpec.ts";
import { deferredFields } from "./deferredFields.ts";
import { checkLstm, LSTM_DEFAULTS, lstmShape } from "./LstmSpec.ts";

const shape = {
  ...cnnShape,
  ...lstmShape,
  output_activation: field(
    Activation.nullable().default(null),
    "Activation after the output layer. Unset, that of the convolutions.",
  ),
};

function check(spec: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  checkCnn(spec, context);
  checkLstm(spec, context);
}

/** Convolutions over an image, then recurrent layers. */
export const CnnLstmSpec = z
  .strictObject({
    arch: field(z.literal("cnn_lstm").default("cnn_lstm"), "Convolutions, then recurrent layers."),
    ...shape,
  })
  .superRefine(check);
export type CnnLstmSpec = z.output<typeof CnnLstmSpec>;
export type CnnLstmSpecInput = z.input<typeof CnnLstmSpec>;
export type CnnLstmSettings = Omit<CnnLstmSpec, "arch">;

/** Convolutions and recurrent layers of which only some settings are given. */
export const DeferredCnnLstmSpec = z
  .strictObject(deferredFields(shape, { ...CNN_DEFAULTS, ...LSTM_DEFAULTS }))
  .superRefine(check);
export type DeferredCnnLstmSpec = z.output<typeof DeferredCnnLstmSpec>;
