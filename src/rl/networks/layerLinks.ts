import type { Axis, Segment, TensorSpec } from "../../evolution/members.ts";
import type { NetworkData } from "./networkData.ts";
import { LAYER_KINDS, layerName } from "./networkStructure.ts";
import { networkTensors } from "./networkTensors.ts";

/** Where consecutive inputs of a layer come from. */
export interface LayerSource {
  /** The layer whose units they are; null for inputs of the network. */
  readonly layer: string | null;
  /** What they are, such as "input", "channel" or "action". */
  readonly label: string;
  readonly size: number;
}

/** A layer's weights from its inputs. A recurrent layer's own state is not among them. */
export interface LayerLinks {
  /** Name of the layer within its network: "encoder.linear_1". */
  readonly layer: string;
  readonly spec: TensorSpec;
  /** Along the axis before the last: the inputs of a linear layer, the channels of an image. */
  readonly sources: readonly LayerSource[];
}

/** The links of a network's layers, in the order of `networkStructure`. */
export function layerLinks(data: NetworkData): readonly LayerLinks[] {
  const links: LayerLinks[] = [];
  /** Layers by the symbol of their width, in order. Several layers may share a symbol. */
  const makers = new Map<string, string[]>();
  for (const spec of networkTensors(data)) {
    const layer = layerName(spec.name);
    if (LAYER_KINDS[spec.role] === undefined || links.some((one) => one.layer === layer)) continue;
    links.push({ layer, spec, sources: sourcesOf(spec.axes.at(-2) ?? [], makers) });
    const symbol = spec.axes.at(-1)?.[0]?.symbol ?? null;
    if (symbol !== null) makers.set(symbol, [...(makers.get(symbol) ?? []), layer]);
  }
  return links;
}

function sourcesOf(axis: Axis, makers: ReadonlyMap<string, readonly string[]>): LayerSource[] {
  return axis.map(({ label, size, symbol }, at) => {
    // Segments with one symbol are the outputs of the last layers of that width, one after the other.
    const later = axis.slice(at).filter((other: Segment) => other.symbol === symbol).length;
    const layer = symbol === null ? null : (makers.get(symbol)?.at(-later) ?? null);
    return { layer, label, size };
  });
}
