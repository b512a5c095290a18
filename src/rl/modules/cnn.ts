/** Convolutions over an image, flattened, then linear -> output activation. */

import { z } from "zod";
import { Activation } from "../../specs/networks.ts";
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
  fits,
  flattenedAxes,
  imageNumbers,
} from "./convolutions.ts";
import { defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
import {
  activationTensors,
  applyActivation,
  applyLinear,
  layerOutput,
  linearTensors,
  outputAxis,
} from "./layers.ts";
import type { ModuleDefinition } from "./moduleDefinition.ts";
import { storedSize } from "./settings.ts";

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

type CnnSpecMade = typeof cnnArchitecture.spec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface CnnSpecSchema extends CnnSpecMade {}

/** Convolutions over an image, then one dense layer, with the bounds of their mutations. */
export const CnnSpec: CnnSpecSchema = cnnArchitecture.spec;
export type CnnSpec = z.output<typeof CnnSpec>;
export type CnnSpecInput = z.input<typeof CnnSpec>;
export type CnnSettings = Omit<CnnSpec, "arch">;

type DeferredCnnMade = typeof cnnArchitecture.inferred.deferred;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface DeferredCnnSchema extends DeferredCnnMade {}

/** Convolutions with only some settings given. */
export const DeferredCnnSpec: DeferredCnnSchema = cnnArchitecture.inferred.deferred;
export type DeferredCnnSpec = z.output<typeof DeferredCnnSpec>;

const made = z.strictObject({
  kind: z.literal("cnn"),
  inputs: storedSize,
  outputs: storedSize,
  output_activation: Activation.nullable(),
  ...Convolutions.shape,
});
type CnnDataMade = typeof made;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface CnnDataSchema extends CnnDataMade {}

/** Convolutions over an image, then a dense layer, as data. `inputs` is the image's number of values. */
export const CnnData: CnnDataSchema = made;
export type CnnData = Readonly<z.output<typeof CnnData>>;

/** The convolutions described by `settings`, for images [channels, height, width].
 * @throws RangeError when a kernel is larger than its input image. */
export function convolutionsData(
  input_shape: Convolutions["input_shape"],
  settings: Omit<Convolutions, "input_shape">,
): Convolutions {
  const data: Convolutions = {
    input_shape,
    channel_size: [...settings.channel_size],
    kernel_size: [...settings.kernel_size],
    stride_size: [...settings.stride_size],
    activation: settings.activation,
    layer_norm: settings.layer_norm,
    init_layers: settings.init_layers,
    min_hidden_layers: settings.min_hidden_layers,
    max_hidden_layers: settings.max_hidden_layers,
    min_channel_size: settings.min_channel_size,
    max_channel_size: settings.max_channel_size,
  };
  if (!fits(data)) {
    const [channels, height, width] = input_shape;
    throw new RangeError(
      `kernel_size: found ${data.kernel_size.join(", ")} with stride_size ${data.stride_size.join(", ")}, allowed kernels that fit into images of ${height} x ${width} (${channels} channels); choose smaller kernels or strides`,
    );
  }
  return data;
}

/** Data of an encoder, from its settings. */
export const cnnData = (
  input_shape: Convolutions["input_shape"],
  outputs: number,
  settings: CnnSettings,
): CnnData => ({
  kind: "cnn",
  inputs: imageNumbers(input_shape),
  outputs,
  output_activation: settings.activation,
  ...convolutionsData(input_shape, settings),
});

const methods = /* @__PURE__ */ convolutionMethods<CnnData>();

export const cnn: ModuleDefinition<CnnData, CnnSettings> = {
  kind: "cnn",
  schema: CnnData,
  encoder: (observed, outputs, settings) => cnnData(observed.image(), outputs, settings),
  methods: () => methods,
  structureKey: (d) => `cnn(${convolutionsKey(d)}, output ${d.output_activation ?? "linear"})`,
  tensors: (d, scope, ends) => {
    const symbols = ends.symbols ?? scope;
    return [
      ...convolutionStackTensors(d, scope, symbols),
      ...linearTensors(`${scope}output`, flattenedAxes(d, symbols), outputAxis(ends, d.outputs)),
      ...activationTensors(`${scope}output_activation`, d.output_activation),
    ];
  },
  widths: convolutionWidths,
  forward: (d, scope, params, x, context) => {
    const value = applyLinear(`${scope}output`, params, convolve(d, scope, params, x, context), context);
    const output = applyActivation(`${scope}output_activation`, d.output_activation, params, value, context);
    return layerOutput(`${scope}output`, output, context);
  },
  activation: (d) => d.activation,
  withActivation: (d, activation, output) => ({
    ...d,
    activation,
    output_activation: output && d.output_activation !== null ? activation : d.output_activation,
  }),
  withOutputs: (d, outputs) => ({ ...d, outputs }),
  layerNumbers: (d) => convolutionNumbers(d) + d.outputs,
  describe: (d) => d.channel_size.map((c, i) => `${c}k${d.kernel_size[i]}`).join("-"),
};
