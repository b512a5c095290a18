import { z } from "zod";
import { count, field, integer, layerSizes, layers } from "../field.ts";
import { Activation } from "./Activation.ts";
import { deferredFields } from "./deferredFields.ts";
import { checkStack, type StackRule } from "./sizeBounds.ts";

const bound = { advanced: true };

export const CNN_BOUNDS: StackRule = {
  widths: "channel_size",
  min_layers: "min_hidden_layers",
  max_layers: "max_hidden_layers",
  min_width: "min_channel_size",
  max_width: "max_channel_size",
};

/** Fields of the convolutions, also of encoders that have more behind them. */
export const cnnShape = {
  channel_size: field(layerSizes(), "Output channels of each convolution.", { unit: "channels" }),
  kernel_size: field(layerSizes(), "Side of each convolution's square kernel.", { unit: "pixels" }),
  stride_size: field(layerSizes(count(1)), "Step of each convolution.", { unit: "pixels" }),
  activation: field(Activation.default("ReLU"), "Activation after each convolution and after the output."),
  layer_norm: field(
    z.boolean().default(false),
    "Layer normalisation over the channels at each place, before each activation.",
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

/** Adds an issue where kernels or strides are not one for each convolution, and for sizes out of bounds. */
export function checkCnn(spec: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  checkStack(spec, CNN_BOUNDS, context);
  const lists = ["channel_size", "kernel_size", "stride_size"].flatMap((key) => {
    const value = spec[key];
    return Array.isArray(value) ? [{ key, length: value.length }] : [];
  });
  const [first, ...others] = lists;
  for (const { key, length } of others) {
    if (first === undefined || length === first.length) continue;
    const message = `found ${length} items; must have one for each convolution, as ${first.key} (${first.length})`;
    context.addIssue({ code: "custom", path: [key], message, params: { code: "range" } });
  }
}

/** Convolutions over an image, then one dense layer, with the bounds their mutations keep to. */
export const CnnSpec = z
  .strictObject({ arch: field(z.literal("cnn").default("cnn"), "Convolutions over an image."), ...cnnShape })
  .superRefine(checkCnn);
export type CnnSpec = z.output<typeof CnnSpec>;
export type CnnSpecInput = z.input<typeof CnnSpec>;
export type CnnSettings = Omit<CnnSpec, "arch">;

/** Settings that a section leaves open. */
export const CNN_DEFAULTS = {
  channel_size: [32, 32],
  kernel_size: [3, 3],
  stride_size: [1, 1],
  activation: "ReLU",
  layer_norm: false,
  init_layers: true,
  min_hidden_layers: 1,
  max_hidden_layers: 6,
  min_channel_size: 16,
  max_channel_size: 256,
} as const;

/** Convolutions of which only some settings are given. */
export const DeferredCnnSpec = z.strictObject(deferredFields(cnnShape, CNN_DEFAULTS)).superRefine(checkCnn);
export type DeferredCnnSpec = z.output<typeof DeferredCnnSpec>;
