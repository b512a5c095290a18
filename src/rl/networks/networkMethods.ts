/** Mutation methods of a network's architecture, and how they are drawn, applied and repeated. */
import { type DrawKey, Random } from "../../evolution/random.ts";
import { definitionOf, type ModuleData } from "../modules/moduleData.ts";
import type { MutationArguments } from "../modules/moduleDefinition.ts";
import { CHANNEL_STEPS } from "../modules/settings.ts";
import { actionInputs, type NetworkData } from "./networkData.ts";

export interface NetworkMethod {
  /** Path of the method: "head_net.add_layer", "add_latent_node", ... */
  readonly path: string;
  readonly type: "layer" | "node";
}

export interface NetworkMutation {
  /** The changed network; the same object when a limit prevented the change. */
  readonly data: NetworkData;
  /** The method that was applied, after any fallback. */
  readonly path: string;
  readonly args: MutationArguments;
}

const ownEncoder = ({ encoder }: NetworkData): ModuleData | null => (encoder === "shared" ? null : encoder);

/**
 * The network's mutation methods. Encoders keep their number of layers. A network without an encoder has no
 * latent width to change.
 */
export function networkMethods(data: NetworkData): NetworkMethod[] {
  const methods: NetworkMethod[] = [];
  const encoder = ownEncoder(data);
  const list = (prefix: string, module: ModuleData, types: readonly string[]) => {
    for (const { name, type } of definitionOf(module).methods(module))
      if (types.includes(type)) methods.push({ path: `${prefix}.${name}`, type });
  };
  if (encoder !== null) list("encoder", encoder, ["node"]);
  if (data.encoder !== null) {
    methods.push({ path: "add_latent_node", type: "node" }, { path: "remove_latent_node", type: "node" });
  }
  list("head_net", data.head, ["layer", "node"]);
  return methods;
}

/** Draws one of the network's methods; layer methods share `new_layer_prob`, node methods share the rest. */
export function drawMethod(data: NetworkData, new_layer_prob: number, random: Random): string | null {
  const methods = networkMethods(data);
  const counts = { layer: 0, node: 0 };
  for (const { type } of methods) counts[type]++;
  const both = counts.layer > 0 && counts.node > 0;
  const weights = methods.map(({ type }) =>
    both ? (type === "layer" ? new_layer_prob : 1 - new_layer_prob) / counts[type] : 1,
  );
  const drawn = random.weighted(weights);
  return drawn === null ? null : (methods[drawn]?.path ?? null);
}

/**
 * Applies a method within the network's own limits. Missing arguments are drawn with `key`.
 * @throws RangeError when the network does not have the method.
 */
export function applyMethod(
  data: NetworkData,
  path: string,
  key: DrawKey,
  args: MutationArguments = {},
): NetworkMutation {
  const known = networkMethods(data);
  if (!known.some((method) => method.path === path)) {
    const allowed = known.map((method) => method.path).join(", ");
    throw new RangeError(`mutation method: found "${path}", allowed for this network: ${allowed}`);
  }
  const random = new Random(key);
  if (path === "add_latent_node" || path === "remove_latent_node") {
    return changeLatent(data, path, random, args);
  }
  const prefix = path.startsWith("encoder.") ? "encoder" : "head_net";
  const name = path.slice(prefix.length + 1);
  const module = prefix === "encoder" ? ownEncoder(data) : data.head;
  const method =
    module &&
    definitionOf(module)
      .methods(module)
      .find((m) => m.name === name);
  if (!method) throw new RangeError(`mutation method: "${path}" is missing`);
  const result = method.apply(module, random, args);
  const applied = `${prefix}.${result.method}`;
  // If a method falls back to one that the network does not have (an encoder's layers), nothing changes.
  const allowed = known.some((other) => other.path === applied);
  const changed = result.data === module || !allowed ? data : withModule(data, prefix, result.data);
  return { data: changed, path: applied, args: result.args };
}

const withModule = (data: NetworkData, prefix: "encoder" | "head_net", module: ModuleData): NetworkData =>
  prefix === "encoder" ? { ...data, encoder: module } : { ...data, head: module };

function changeLatent(
  data: NetworkData,
  path: "add_latent_node" | "remove_latent_node",
  random: Random,
  args: MutationArguments,
): NetworkMutation {
  const nodes = args.numb_new_nodes ?? random.choice(CHANNEL_STEPS);
  const grow = path === "add_latent_node";
  const width = data.latent_dim + (grow ? nodes : -nodes);
  const allowed = grow ? width < data.max_latent_dim : width > data.min_latent_dim;
  return { data: allowed ? withLatent(data, width) : data, path, args: { numb_new_nodes: nodes } };
}

/** The network with a new latent width, in its encoder and its head. */
export function withLatent(data: NetworkData, latent_dim: number): NetworkData {
  const encoder = ownEncoder(data);
  return {
    ...data,
    latent_dim,
    encoder: encoder === null ? data.encoder : definitionOf(encoder).withOutputs(encoder, latent_dim),
    head: withInputs(data.head, latent_dim + actionInputs(data)),
  };
}

/** @throws TypeError when the head reads images: heads after an encoder must read vectors. */
function withInputs(head: ModuleData, inputs: number): ModuleData {
  const { kind, withInputs: change } = definitionOf(head);
  if (!change)
    throw new TypeError(
      `head_net: found ${kind}, which does not read vectors; choose a module that does, such as mlp`,
    );
  return change(head, inputs);
}
