/** Mutation methods of an MLP: add or remove a hidden layer or nodes, within its bounds. */
import type { Random } from "../../evolution/random.ts";
import type { ModuleMutation, MutationArguments, MutationMethod } from "./moduleDefinition.ts";
import { NODE_STEPS } from "./settings.ts";

/** The fields that the methods read. */
interface HiddenLayers {
  readonly hidden_size: readonly number[];
  readonly min_hidden_layers: number;
  readonly max_hidden_layers: number;
  readonly min_mlp_nodes: number;
  readonly max_mlp_nodes: number;
}

function changeNodes<Data extends HiddenLayers>(
  method: "add_node" | "remove_node",
  data: Data,
  random: Random,
  args: MutationArguments,
): ModuleMutation<Data> {
  const last = data.hidden_size.length - 1;
  const layer = Math.min(args.hidden_layer ?? random.integer(last + 1), last);
  const nodes = args.numb_new_nodes ?? random.choice(NODE_STEPS);
  const width = (data.hidden_size[layer] as number) + (method === "add_node" ? nodes : -nodes);
  const allowed = method === "add_node" ? width <= data.max_mlp_nodes : width > data.min_mlp_nodes;
  return {
    data: allowed ? { ...data, hidden_size: data.hidden_size.with(layer, width) } : data,
    method,
    args: { hidden_layer: layer, numb_new_nodes: nodes },
  };
}

const addNode = <Data extends HiddenLayers>(data: Data, random: Random, args: MutationArguments = {}) =>
  changeNodes("add_node", data, random, args);

export const mlpMethods = <Data extends HiddenLayers>(): readonly MutationMethod<Data>[] => [
  {
    name: "add_layer",
    type: "layer",
    apply: (data, random) => {
      const { hidden_size } = data;
      if (hidden_size.length >= data.max_hidden_layers) return addNode(data, random);
      const widths = [...hidden_size, hidden_size.at(-1) as number];
      return { data: { ...data, hidden_size: widths }, method: "add_layer", args: {} };
    },
  },
  {
    name: "remove_layer",
    type: "layer",
    apply: (data, random) => {
      if (data.hidden_size.length <= data.min_hidden_layers) return addNode(data, random);
      return {
        data: { ...data, hidden_size: data.hidden_size.slice(0, -1) },
        method: "remove_layer",
        args: {},
      };
    },
  },
  { name: "add_node", type: "node", apply: addNode },
  {
    name: "remove_node",
    type: "node",
    apply: (data, random, args = {}) => changeNodes("remove_node", data, random, args),
  },
];
