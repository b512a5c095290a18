import { axisSize, type TensorSpec, tensorSize } from "../../evolution/members.ts";
import type { LayerStructure, NetworkStructure } from "../../specs/networks.ts";
import { definitionOf, type ModuleData } from "../modules/moduleData.ts";
import type { NetworkData } from "./networkData.ts";
import { HEAD, networkTensors } from "./networkTensors.ts";

/** Kinds of layers by the role of the tensor that a layer begins with. */
export const LAYER_KINDS: Partial<Record<TensorSpec["role"], string>> = {
  weight: "linear",
  kernel: "conv",
  recurrent: "lstm",
};

/** Name of a tensor's layer: "encoder.linear_1", "encoder.lstm.l0". */
export const layerName = (name: string): string =>
  name.replace(/\.(weight|bias)[a-z_]*$/, "").replace(/\.(?:weight|bias)_[ih]h_(l\d+)$/, ".$1");

const activationOf = (module: ModuleData, isLast: boolean): string | null =>
  isLast && "output_activation" in module
    ? module.output_activation
    : definitionOf(module).activation(module);

/** The layers of a network from input to output. Layers of a shared encoder belong to the other network. */
export function networkStructure(name: string, data: NetworkData): NetworkStructure {
  const specs = networkTensors(data);
  const layers = new Map<string, { -readonly [Key in keyof LayerStructure]: LayerStructure[Key] }>();
  let last = "";
  for (const spec of specs) {
    const kind = LAYER_KINDS[spec.role];
    const layer = layerName(spec.name);
    const known = layers.get(layer) ?? layers.get(last);
    if (kind !== undefined && !layers.has(layer)) {
      const outputs = spec.axes.at(-1) ?? [];
      // The gates of an LSTM layer are concatenated.
      const width = kind === "lstm" ? (outputs[0]?.size ?? 0) : axisSize(outputs);
      layers.set(layer, { kind, width, activation: null, norm: false, parameters: tensorSize(spec) });
      last = layer;
    } else if (known) {
      // Parameters of norms, activations and standard deviations count towards the layer before them.
      known.parameters += tensorSize(spec);
      if (spec.role === "norm") known.norm = true;
    }
  }
  const names = [...layers.keys()];
  for (const [layer, structure] of layers) {
    const inHead = layer.startsWith(HEAD);
    const module = inHead ? data.head : data.encoder;
    if (module === null || module === "shared") continue;
    const isLast = layer === names.findLast((other) => other.startsWith(HEAD) === inHead);
    structure.activation = activationOf(module, isLast);
  }
  const parameters = specs.reduce((sum, spec) => sum + tensorSize(spec), 0);
  return { name, layers: [...layers.values()], parameters };
}

/** Widths of encoder's hidden layers | latent vector | head's hidden layers, e.g. "64-64 | 64 | 64". */
export function describeNetwork({ encoder, latent_dim, head }: NetworkData): string {
  const own = definitionOf(head).describe(head);
  if (encoder === null) return own;
  if (encoder === "shared") return `shared | ${latent_dim} | ${own}`;
  return `${definitionOf(encoder).describe(encoder)} | ${latent_dim} | ${own}`;
}
