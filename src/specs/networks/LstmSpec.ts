import { z } from "zod";
import { field, fraction, integer, layers } from "../field.ts";
import { Activation } from "./Activation.ts";
import { defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
import { defaultsWith, storedFields, storedSize } from "./settings.ts";
import type { BoundsRule } from "./sizeBounds.ts";

const bound = { advanced: true };

/** Fields of the recurrent layers, also used by encoders with more layers before them. */
export const lstmSettings = {
  hidden_state_size: field(integer(1), "Width of the hidden state.", { unit: "nodes" }),
  num_layers: field(layers(1).default(1), "Number of stacked recurrent layers."),
  min_hidden_state_size: field(integer(1).default(8), "Narrowest state a mutation may leave.", bound),
  max_hidden_state_size: field(integer(1).default(256), "Widest state a mutation may reach.", bound),
  min_layers: field(layers(0).default(1), "Fewest recurrent layers a mutation may leave.", bound),
  max_layers: field(integer(1).default(6), "Most recurrent layers a mutation may reach.", bound),
  dropout: field(fraction().default(0), "Dropout probability between layers.", bound),
};

export const LSTM_RULES: readonly BoundsRule[] = [
  { size: "hidden_state_size", min: "min_hidden_state_size", max: "max_hidden_state_size" },
  { size: "num_layers", min: "min_layers", max: "max_layers" },
];

/** Defaults for settings that a section does not give. */
export const LSTM_DEFAULTS = defaultsWith(lstmSettings, {
  hidden_state_size: 128,
  num_layers: 2,
  min_hidden_state_size: 16,
  max_hidden_state_size: 500,
  max_layers: 4,
});
/** Defaults for recurrent layers that callers create. */
export const LSTM_MODULE_DEFAULTS = defaultsWith(lstmSettings, {
  min_hidden_state_size: 32,
  max_hidden_state_size: 512,
  max_layers: 3,
});

/** The recurrent layers as an encoder. */
export const lstmArchitecture = {
  ...defineArchitecture({
    arch: "lstm",
    description: "Recurrent layers with memory.",
    settings: lstmSettings,
    rules: LSTM_RULES,
    reads: "vector",
    memory: true,
    portable: true,
  }),
  inferred: inferredArchitecture({ settings: lstmSettings, rules: LSTM_RULES, defaults: LSTM_DEFAULTS }),
};

/** Recurrent layers with memory (LSTM), then one dense layer, with the bounds of their mutations. */
export const LstmSpec = lstmArchitecture.spec;
export type LstmSpec = z.output<typeof LstmSpec>;
export type LstmSpecInput = z.input<typeof LstmSpec>;
export type LstmSettings = Omit<LstmSpec, "arch">;

/** Recurrent layers with only some settings given. */
export const DeferredLstmSpec = lstmArchitecture.inferred.deferred;
export type DeferredLstmSpec = z.output<typeof DeferredLstmSpec>;

const stored = storedFields(lstmSettings);

/** Recurrent layers (LSTM) followed by a dense layer, as plain data. */
export const LstmData = z.strictObject({
  kind: z.literal("lstm"),
  inputs: storedSize,
  outputs: storedSize,
  hidden_state_size: stored.hidden_state_size,
  num_layers: stored.num_layers,
  output_activation: Activation.nullable(),
  min_hidden_state_size: stored.min_hidden_state_size,
  max_hidden_state_size: stored.max_hidden_state_size,
  min_layers: stored.min_layers,
  max_layers: stored.max_layers,
});
export type LstmData = Readonly<z.output<typeof LstmData>>;
