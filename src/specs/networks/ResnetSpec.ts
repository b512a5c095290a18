import { z } from "zod";
import { count, field, integer, layers } from "../field.ts";
import { checkSize, type SizeRule } from "./sizeBounds.ts";

const bound = { advanced: true };

const BOUNDS: readonly SizeRule[] = [
  { size: "channel_size", min: "min_channel_size", max: "max_channel_size" },
  { size: "num_blocks", min: "min_blocks", max: "max_blocks" },
];

/**
 * A residual convolutional network over an image, with the bounds its mutations keep to. The manifests of the
 * Python relative have no such architecture, so it is never inferred.
 */
export const ResnetSpec = z
  .strictObject({
    arch: field(
      z.literal("resnet").default("resnet"),
      "Residual convolutions over an image; a name of rlkit's own.",
    ),
    channel_size: field(integer(1), "Channels of the residual stream.", { unit: "channels" }),
    kernel_size: field(integer(1), "Side of the square kernels.", { unit: "pixels" }),
    stride_size: field(count(1), "Step of the first convolution.", { unit: "pixels" }),
    num_blocks: field(layers(1), "Residual blocks."),
    scale_factor: field(
      integer(1).default(4),
      "Channels inside a block as a multiple of channel_size.",
      bound,
    ),
    min_blocks: field(layers(1).default(1), "Fewest blocks a mutation may leave.", bound),
    max_blocks: field(integer(1).default(4), "Most blocks a mutation may reach.", bound),
    min_channel_size: field(integer(1).default(32), "Fewest channels a mutation may leave.", bound),
    max_channel_size: field(integer(1).default(256), "Most channels a mutation may reach.", bound),
  })
  .superRefine((spec, context) => {
    for (const rule of BOUNDS) checkSize(spec, rule, context);
  });
export type ResnetSpec = z.output<typeof ResnetSpec>;
export type ResnetSpecInput = z.input<typeof ResnetSpec>;
export type ResnetSettings = Omit<ResnetSpec, "arch">;
