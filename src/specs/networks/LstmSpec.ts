import { z } from "zod";
import { field, fraction, integer, layers } from "../field.ts";
import { deferredFields } from "./deferredFields.ts";
import { checkSize, type SizeRule } from "./sizeBounds.ts";

const bound = { advanced: true };

export const LSTM_BOUNDS: readonly SizeRule[] = [
  { size: "hidden_state_size", min: "min_hidden_state_size", max: "max_hidden_state_size" },
  { size: "num_layers", min: "min_layers", max: "max_layers" },
];

/** Fields of the recurrent layers, also of encoders that have more before them. */
export const lstmShape = {
  hidden_state_size: field(integer(1), "Width of the hidden state.", { unit: "nodes" }),
  num_layers: field(layers(1).default(1), "Recurrent layers, one on the other."),
  min_hidden_state_size: field(integer(1).default(8), "Narrowest state a mutation may leave.", bound),
  max_hidden_state_size: field(integer(1).default(256), "Widest state a mutation may reach.", bound),
  min_layers: field(layers(0).default(1), "Fewest recurrent layers a mutation may leave.", bound),
  max_layers: field(integer(1).default(6), "Most recurrent layers a mutation may reach.", bound),
  dropout: field(fraction().default(0), "Chance that learning drops an output between layers.", bound),
};

/** Adds an issue where a size of the recurrent layers is out of bounds. */
export function checkLstm(spec: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  for (const rule of LSTM_BOUNDS) checkSize(spec, rule, context);
}

/** Recurrent layers with memory (LSTM), then one dense layer, with the bounds their mutations keep to. */
export const LstmSpec = z
  .strictObject({
    arch: field(z.literal("lstm").default("lstm"), "Recurrent layers with memory."),
    ...lstmShape,
  })
  .superRefine(checkLstm);
export type LstmSpec = z.output<typeof LstmSpec>;
export type LstmSpecInput = z.input<typeof LstmSpec>;
export type LstmSettings = Omit<LstmSpec, "arch">;

/** Settings that a section leaves open. */
export const LSTM_DEFAULTS = {
  hidden_state_size: 128,
  num_layers: 2,
  min_hidden_state_size: 16,
  max_hidden_state_size: 500,
  min_layers: 1,
  max_layers: 4,
  dropout: 0,
} as const;

/** Recurrent layers of which only some settings are given. */
export const DeferredLstmSpec = z
  .strictObject(deferredFields(lstmShape, LSTM_DEFAULTS))
  .superRefine(checkLstm);
export type DeferredLstmSpec = z.output<typeof DeferredLstmSpec>;
