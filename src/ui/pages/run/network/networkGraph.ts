/** A network as a graph: units or groups of units in columns, and the strongest of their connections. */
import type { WeightLinks } from "../../../../workers/protocol.ts";
import { NO_NAMES, type NumberNames } from "../../../lib/numberNames.ts";
import type { LayerPair, NetworkPair } from "./networkDiff.ts";

/** A layer of more units is drawn as groups of equally many. */
const MOST_NODES = 64;
/** Most connections drawn of a network, the strongest of each layer. */
const MOST_EDGES = 2000;

/** What a mutation did to units, seen from the parent. */
type Change = "added" | "removed" | null;

/** A layer, or inputs of the network, as nodes. */
export interface GraphBlock {
  /** Name within the network, as in `WeightLinks`; null if the weights are unknown, and for inputs. */
  readonly layer: string | null;
  /** Null for inputs. */
  readonly pair: LayerPair | null;
  /** What inputs are, such as "input" or "action"; "" for layers. */
  readonly label: string;
  /** Column, 0 for the first. */
  readonly column: number;
  /** Units now, and those that each node stands for. */
  readonly units: number;
  readonly perNode: number;
  /** By node, in order: what happened to its units. Removed ones come last. */
  readonly nodes: readonly Change[];
  /** By node, where the environment names its numbers; null for none. */
  readonly names: readonly string[] | null;
}

/** The network that chooses actions, whose last layer has one unit for each. */
const POLICY = "actor";

/** A connection between two nodes. */
export interface GraphEdge {
  readonly from: { readonly block: number; readonly node: number };
  readonly to: { readonly block: number; readonly node: number };
  /** Its strongest weight, relative to the strongest of its layer: -1 to 1. */
  readonly weight: number;
}

export interface NetworkGraph {
  readonly blocks: readonly GraphBlock[];
  /** Weakest first, so that strong ones are drawn on top. */
  readonly edges: readonly GraphEdge[];
  /** Number of connections between nodes, drawn or not. */
  readonly connections: number;
}

/**
 * The graph of a network that is compared with its parent's.
 * @param links The weights; null if they are not stored, or belong to a network of other sizes. Layers are then in
 *   one line, without connections.
 */
export function networkGraph(
  { name, layers }: Pick<NetworkPair, "name" | "layers">,
  links: readonly WeightLinks[] | null,
  { observation_names, action_names }: NumberNames = NO_NAMES,
): NetworkGraph {
  const own = layers.filter(({ now }) => now !== null);
  const known = links !== null && fits(own, links) ? links : null;
  const inputs = known === null ? [] : inputsOf(known);
  const columns = columnsOf(layers, known, inputs);
  const blocks: GraphBlock[] = inputs.map((input) => ({
    layer: null,
    pair: null,
    label: input.label,
    column: columns.of(input.key),
    ...nodesOf(input.size, input.size),
    names: fitting(input.label === "action" ? action_names : observation_names, input.size),
  }));
  let next = 0;
  for (const [at, pair] of layers.entries()) {
    const layer = pair.now === null ? null : (known?.[next++]?.layer ?? null);
    const units = pair.now?.width ?? 0;
    const before = pair.before?.width ?? 0;
    const names = name === POLICY && at === layers.length - 1 ? fitting(action_names, units) : null;
    blocks.push({ layer, pair, label: "", column: columns.of(at), ...nodesOf(units, before), names });
  }
  const all = known === null ? [] : known.map((link) => edgesOf(link, blocks, inputs));
  const quota = Math.floor(MOST_EDGES / Math.max(1, all.length));
  const strength = ({ weight }: GraphEdge): number => Math.abs(weight);
  const edges = all
    .flatMap((each) => each.toSorted((a, b) => strength(b) - strength(a)).slice(0, quota))
    .toSorted((a, b) => strength(a) - strength(b));
  return { blocks, edges, connections: all.reduce((sum, { length }) => sum + length, 0) };
}

/** Names that are as many as units, each of which is a node. */
const fitting = (names: readonly string[] | null, units: number): readonly string[] | null =>
  names?.length === units && units <= MOST_NODES ? names : null;

/** Whether the weights are those of layers of these widths. */
const fits = (layers: readonly LayerPair[], links: readonly WeightLinks[]): boolean =>
  layers.length === links.length &&
  layers.every(({ now }, at) => {
    const outputs = links[at]?.shape.at(-1) ?? 0;
    return now !== null && outputs === (now.kind === "lstm" ? 4 : 1) * now.width;
  });

/** The nodes of a layer whose parent's had `before` units. */
function nodesOf(units: number, before: number): Pick<GraphBlock, "units" | "perNode" | "nodes"> {
  const most = Math.max(units, before);
  const perNode = Math.max(1, Math.ceil(most / MOST_NODES));
  const nodes = Array.from({ length: Math.ceil(most / perNode) }, (_, node): Change => {
    // Mutation appends units, and removes the last ones. A group counts as what its middle is.
    const middle = Math.min(most - 1, node * perNode + Math.floor(perNode / 2));
    if (middle >= units) return "removed";
    return middle >= before ? "added" : null;
  });
  return { units, perNode, nodes };
}

interface Input {
  readonly key: string;
  readonly label: string;
  readonly size: number;
  /** The first layer that reads it. */
  readonly reader: number;
}

/** What a network reads, each thing once. */
function inputsOf(links: readonly WeightLinks[]): Input[] {
  const inputs = new Map<string, Input>();
  for (const [reader, { sources }] of links.entries())
    for (const { layer, label, size } of sources) {
      const key = inputKey(label, size);
      if (layer === null && !inputs.has(key)) inputs.set(key, { key, label, size, reader });
    }
  return [...inputs.values()];
}

const inputKey = (label: string, size: number): string => `${label} ${size}`;

/** Columns of inputs by key, and of layers by position among all pairs, without gaps. */
function columnsOf(
  layers: readonly LayerPair[],
  links: readonly WeightLinks[] | null,
  inputs: readonly Input[],
): { readonly of: (part: string | number) => number } {
  const depths = new Map<string | number, number>();
  const byLayer = new Map<string, number>();
  let [next, last] = [0, 0];
  for (const [at, { now }] of layers.entries()) {
    const link = now === null ? undefined : links?.[next];
    if (now === null)
      last += 0.5; // A removed layer stands where it was, between those that are left.
    else {
      next += 1;
      const sources = link?.sources.map(({ layer }) => byLayer.get(layer ?? "") ?? 0) ?? [Math.floor(last)];
      last = 1 + Math.max(...sources);
    }
    depths.set(at, last);
    if (link !== undefined) byLayer.set(link.layer, last);
  }
  for (const { key, reader } of inputs) depths.set(key, (byLayer.get(links?.[reader]?.layer ?? "") ?? 1) - 1);
  const order = [...new Set(depths.values())].toSorted((a, b) => a - b);
  return { of: (part) => order.indexOf(depths.get(part) ?? 0) };
}

/** Connections of a layer with its sources: for each pair of nodes, its strongest weight. */
function edgesOf(link: WeightLinks, blocks: readonly GraphBlock[], inputs: readonly Input[]): GraphEdge[] {
  const { shape, values, sources } = link;
  const to = blocks.findIndex(({ layer }) => layer === link.layer);
  const target = blocks[to];
  const [outs, ins] = [shape.at(-1) ?? 0, shape.at(-2) ?? 0];
  if (target === undefined || outs === 0 || ins === 0) return [];
  const edges: GraphEdge[] = [];
  let [offset, most] = [0, 0];
  for (const source of sources) {
    const from =
      source.layer === null
        ? inputs.findIndex(({ key }) => key === inputKey(source.label, source.size))
        : blocks.findIndex(({ layer }) => layer === source.layer);
    const { perNode = 1, nodes = [] } = blocks[from] ?? {};
    const strongest = new Float32Array(nodes.length * target.nodes.length);
    for (let at = 0; at < values.length; at += 1) {
      const unit = (Math.floor(at / outs) % ins) - offset;
      if (unit < 0 || unit >= source.size) continue;
      const value = values[at] ?? 0;
      // The gates of an LSTM's unit lie one layer's width apart.
      const node = Math.floor(((at % outs) % target.units) / target.perNode);
      const place = Math.floor(unit / perNode) * target.nodes.length + node;
      if (Math.abs(value) > Math.abs(strongest[place] ?? 0)) strongest[place] = value;
      most = Math.max(most, Math.abs(value));
    }
    for (const [place, weight] of strongest.entries()) {
      if (weight === 0 || !Number.isFinite(weight)) continue;
      const [begin, end] = [Math.floor(place / target.nodes.length), place % target.nodes.length];
      edges.push({ from: { block: from, node: begin }, to: { block: to, node: end }, weight });
    }
    offset += source.size;
  }
  return edges.map((edge) => ({ ...edge, weight: edge.weight / most }));
}

/**
 * A layer's outputs by node, as the mean over its units and, for images, over all places.
 * @param values Row-major, units on the last axis.
 * @returns null if the values are those of another number of units
 */
export function nodeOutputs(block: GraphBlock, values: ArrayLike<number>): Float32Array | null {
  const { units, perNode } = block;
  if (units === 0 || values.length === 0 || values.length % units !== 0) return null;
  const sums = new Float32Array(block.nodes.length);
  const counts = new Float32Array(block.nodes.length);
  for (let at = 0; at < values.length; at += 1) {
    const node = Math.floor((at % units) / perNode);
    sums[node] = (sums[node] ?? 0) + (values[at] ?? 0);
    counts[node] = (counts[node] ?? 0) + 1;
  }
  return sums.map((sum, node) => sum / Math.max(1, counts[node] ?? 1));
}
