/** A network's modules as JSON values in agent files. */
import { z } from "zod";
import type { ModuleData } from "../../rl/modules/index.ts";
import { Activation } from "../../specs/index.ts";

const size = z.int().positive();
const count = z.int().nonnegative();
const ends = { inputs: size, outputs: size };
const image = z.tuple([size, size, size]).readonly();

const mlp = {
  inputs: size,
  hidden_size: z.array(size).min(1),
  outputs: size,
  activation: Activation,
  output_activation: Activation.nullable(),
  layer_norm: z.boolean(),
  output_layernorm: z.boolean(),
  output_vanish: z.boolean(),
  init_layers: z.boolean(),
  noise_std: z.number().nonnegative().nullable().default(null),
  min_hidden_layers: count,
  max_hidden_layers: count,
  min_mlp_nodes: count,
  max_mlp_nodes: count,
};
const mlpData = z.strictObject({ kind: z.literal("mlp"), ...mlp });

const convolutions = {
  input_shape: image,
  channel_size: z.array(size).min(1),
  kernel_size: z.array(size).min(1),
  stride_size: z.array(size).min(1),
  activation: Activation,
  layer_norm: z.boolean(),
  init_layers: z.boolean(),
  min_hidden_layers: count,
  max_hidden_layers: count,
  min_channel_size: count,
  max_channel_size: count,
};
const cnnData = z.strictObject({
  kind: z.literal("cnn"),
  ...ends,
  output_activation: Activation.nullable(),
  ...convolutions,
});

const lstmData = z.strictObject({
  kind: z.literal("lstm"),
  ...ends,
  hidden_state_size: size,
  num_layers: size,
  output_activation: Activation.nullable(),
  min_hidden_state_size: count,
  max_hidden_state_size: count,
  min_layers: count,
  max_layers: count,
});

const blocks = { num_blocks: size, scale_factor: size, output_activation: Activation.nullable() };
const blockBounds = { min_blocks: count, max_blocks: count };

/** Any module's data. */
export const moduleData: z.ZodType<ModuleData> = z.discriminatedUnion("kind", [
  mlpData,
  z.strictObject({ kind: z.literal("dueling"), ...mlp, num_atoms: size }),
  z.strictObject({
    kind: z.literal("simba"),
    ...ends,
    hidden_size: size,
    ...blocks,
    ...blockBounds,
    min_mlp_nodes: count,
    max_mlp_nodes: count,
  }),
  lstmData,
  cnnData,
  z.strictObject({
    kind: z.literal("cnn_lstm"),
    ...ends,
    cnn: z.strictObject(convolutions),
    lstm: lstmData,
  }),
  z.strictObject({
    kind: z.literal("resnet"),
    input_shape: image,
    ...ends,
    channel_size: size,
    kernel_size: size,
    stride_size: size,
    ...blocks,
    ...blockBounds,
    min_channel_size: count,
    max_channel_size: count,
  }),
  z.strictObject({
    kind: z.literal("multiinput"),
    ...ends,
    parts: z.array(z.strictObject({ key: z.string(), size, cnn: cnnData.nullable() })).min(1),
    vector_mlp: mlpData.nullable(),
    latent_dim: size,
    min_latent_dim: count,
    max_latent_dim: count,
    output_layernorm: z.boolean(),
    output_activation: Activation.nullable(),
  }),
]);
