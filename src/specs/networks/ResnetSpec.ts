import { z } from "zod";
import { count, field, integer, layers } from "../field.ts";
import { Activation } from "./Activation.ts";
import { defineArchitecture } from "./defineArchitecture.ts";
import { defaultsWith, storedFields, storedImage, storedSize } from "./settings.ts";

const bound = { advanced: true };

const settings = {
  channel_size: field(integer(1), "Channels of the residual stream.", { unit: "channels" }),
  kernel_size: field(integer(1), "Side of the square kernels.", { unit: "pixels" }),
  stride_size: field(count(1), "Step of the first convolution.", { unit: "pixels" }),
  num_blocks: field(layers(1), "Residual blocks."),
  scale_factor: field(integer(1).default(4), "Channels inside a block as a multiple of channel_size.", bound),
  min_blocks: field(layers(1).default(1), "Fewest blocks a mutation may leave.", bound),
  max_blocks: field(integer(1).default(4), "Most blocks a mutation may reach.", bound),
  min_channel_size: field(integer(1).default(32), "Fewest channels a mutation may leave.", bound),
  max_channel_size: field(integer(1).default(256), "Most channels a mutation may reach.", bound),
};

/** Defaults for residual convolutions that callers create: the same as those of a section. */
export const RESNET_MODULE_DEFAULTS = defaultsWith(settings, {});

/**
 * Residual convolutions as an encoder. The manifests of the Python relative have no such architecture, so it is never
 * inferred.
 */
export const resnetArchitecture = defineArchitecture({
  arch: "resnet",
  description: "Residual convolutions over an image; specific to rlkit.",
  settings,
  rules: [
    { size: "channel_size", min: "min_channel_size", max: "max_channel_size" },
    { size: "num_blocks", min: "min_blocks", max: "max_blocks" },
  ],
  reads: "image",
});

/** A residual convolutional network over an image, with the bounds of its mutations. */
export const ResnetSpec = resnetArchitecture.spec;
export type ResnetSpec = z.output<typeof ResnetSpec>;
export type ResnetSpecInput = z.input<typeof ResnetSpec>;
export type ResnetSettings = Omit<ResnetSpec, "arch">;

const stored = storedFields(settings);

/**
 * Residual convolutions over an image, then a dense layer, as data. `inputs` is the image's number of values.
 */
export const ResnetData = z.strictObject({
  kind: z.literal("resnet"),
  input_shape: storedImage,
  inputs: storedSize,
  outputs: storedSize,
  channel_size: stored.channel_size,
  kernel_size: stored.kernel_size,
  stride_size: stored.stride_size,
  num_blocks: stored.num_blocks,
  scale_factor: stored.scale_factor,
  output_activation: Activation.nullable(),
  min_blocks: stored.min_blocks,
  max_blocks: stored.max_blocks,
  min_channel_size: stored.min_channel_size,
  max_channel_size: stored.max_channel_size,
});
export type ResnetData = Readonly<z.output<typeof ResnetData>>;
