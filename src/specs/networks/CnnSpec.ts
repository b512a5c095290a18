import { z } from "zod";
import { count, field, integer, layerSizes, layers } from "../field.ts";
import { Activation } from "./Activation.ts";
import { defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
import { defaultsWith, storedFields, storedImage, storedSize } from "./settings.ts";
import type { BoundsRule } from "./sizeBounds.ts";

const bound = { advanced: true };

/** Fields of the convolutions, also used by encoders with more layers after them. */
export const cnnSettings = {
  channel_size: field(layerSizes(), "Output channels of each convolution.", { unit: "channels" }),
  kernel_size: field(layerSizes(), "Side of each convolution's square kernel.", { unit: "pixels" }),
  stride_size: field(layerSizes(count(1)), "Step of each convolution.", { unit: "pixels" }),
  activation: field(Activation.default("ReLU"), "Activation after each convolution and after the output."),
  layer_norm: field(
    z.boolean().default(false),
    "Layer normalisation over the channels at each position, before each activation.",
  ),
  init_layers: field(
    z.boolean().default(true),
    "Orthogonal initial weights of the convolutions, with zero biases.",
    bound,
  ),
  min_hidden_layers: field(layers(1).default(1), "Fewest convolutions a mutation may leave.", bound),
  max_hidden_layers: field(integer(1).default(6), "Most convolutions a mutation may reach.", bound),
  min_channel_size: field(integer(1).default(8), "Fewest channels a mutation may leave.", bound),
  max_channel_size: field(integer(1).default(256), "Most channels a mutation may reach.", bound),
};

export const CNN_RULES: readonly BoundsRule[] = [
  {
    widths: "channel_size",
    lists: ["kernel_size", "stride_size"],
    layer: "convolution",
    min_layers: "min_hidden_layers",
    max_layers: "max_hidden_layers",
    min_width: "min_channel_size",
    max_width: "max_channel_size",
  },
];

/** Defaults for convolutions that callers create. */
export const CNN_MODULE_DEFAULTS = defaultsWith(cnnSettings, { min_channel_size: 16 });
/** Defaults for settings that a section does not give. */
export const CNN_DEFAULTS = {
  ...CNN_MODULE_DEFAULTS,
  channel_size: [32, 32],
  kernel_size: [3, 3],
  stride_size: [1, 1],
};

/** The convolutions as an encoder. */
export const cnnArchitecture = {
  ...defineArchitecture({
    arch: "cnn",
    description: "Convolutions over an image.",
    settings: cnnSettings,
    rules: CNN_RULES,
    reads: "image",
    portable: true,
  }),
  inferred: inferredArchitecture({ settings: cnnSettings, rules: CNN_RULES, defaults: CNN_DEFAULTS }),
};

/** Convolutions over an image, then one dense layer, with the bounds of their mutations. */
export const CnnSpec = cnnArchitecture.spec;
export type CnnSpec = z.output<typeof CnnSpec>;
export type CnnSpecInput = z.input<typeof CnnSpec>;
export type CnnSettings = Omit<CnnSpec, "arch">;

/** Convolutions with only some settings given. */
export const DeferredCnnSpec = cnnArchitecture.inferred.deferred;
export type DeferredCnnSpec = z.output<typeof DeferredCnnSpec>;

const stored = storedFields(cnnSettings);

/** Convolutions as plain data. `input_shape` is [channels, height, width] of the image. */
export const Convolutions = z.strictObject({ input_shape: storedImage, ...stored });
export type Convolutions = Readonly<z.output<typeof Convolutions>>;

/** Convolutions over an image, then a dense layer, as data. `inputs` is the image's number of values. */
export const CnnData = z.strictObject({
  kind: z.literal("cnn"),
  inputs: storedSize,
  outputs: storedSize,
  output_activation: Activation.nullable(),
  ...Convolutions.shape,
});
export type CnnData = Readonly<z.output<typeof CnnData>>;
