/** Convolutions over an image, flattened, then linear -> output activation. */
import { type CnnData } from "./cnnData.ts";
import { convolutionMethods } from "./convolutionMethods.ts";
import {
  convolutionStackTensors,
  convolutionsKey,
  convolutionWidths,
  convolve,
  flattenedAxes,
} from "./convolutions.ts";
import { activationTensors, applyActivation, applyLinear, linearTensors, outputAxis } from "./layers.ts";
import type { ModuleDefinition } from "./moduleDefinition.ts";

const methods = convolutionMethods<CnnData>();

export const cnn: ModuleDefinition<CnnData> = {
  kind: "cnn",
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
  forward: (d, scope, params, x) => {
    const value = applyLinear(`${scope}output`, params, convolve(d, scope, params, x));
    return applyActivation(`${scope}output_activation`, d.output_activation, params, value);
  },
  activation: (d) => d.activation,
  withActivation: (d, activation, output) => ({
    ...d,
    activation,
    output_activation: output && d.output_activation !== null ? activation : d.output_activation,
  }),
  withOutputs: (d, outputs) => ({ ...d, outputs }),
  describe: (d) => d.channel_size.map((c, i) => `${c}k${d.kernel_size[i]}`).join("-"),
};
