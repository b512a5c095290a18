/** Differences between a network and its parent's. */
import type { LayerStructure, NetworkStructure } from "../../../../tracking/observer.ts";
import { formatCount, NONE } from "../../../lib/format.ts";

/** A layer aligned with the parent's; one of them is null if the layer was added or removed. */
export interface LayerPair {
  readonly now: LayerStructure | null;
  readonly before: LayerStructure | null;
}

/** A network aligned with the parent's. */
export interface NetworkPair {
  readonly name: string;
  readonly layers: readonly LayerPair[];
  readonly parameters: number;
  /** Parameters of the parent's network; null if the parent has no such network or is unknown. */
  readonly before: number | null;
}

const ADDED_OR_REMOVED = 1;

/** Cost of matching two layers; infinite for layers of different kinds. */
function unlikeness(now: LayerStructure, before: LayerStructure): number {
  if (now.kind !== before.kind) return Number.POSITIVE_INFINITY;
  const widths = now.width === before.width ? 0 : 0.5;
  return widths + (now.activation === before.activation ? 0 : 0.25);
}

/**
 * Aligns layers with as few additions, removals and changes as possible. Among equal alignments, additions
 * come last.
 */
export function alignLayers(
  now: readonly LayerStructure[],
  before: readonly LayerStructure[],
): readonly LayerPair[] {
  // costs[i][j]: cost of aligning the layers from i on with the parent's from j on.
  const costs = Array.from({ length: now.length + 1 }, () => new Array<number>(before.length + 1).fill(0));
  const cost = (i: number, j: number): number => costs[i]?.[j] ?? 0;
  const choices = (i: number, j: number) => {
    const [own, other] = [now[i], before[j]];
    return {
      both: own && other ? unlikeness(own, other) + cost(i + 1, j + 1) : Number.POSITIVE_INFINITY,
      removed: other ? ADDED_OR_REMOVED + cost(i, j + 1) : Number.POSITIVE_INFINITY,
      added: own ? ADDED_OR_REMOVED + cost(i + 1, j) : Number.POSITIVE_INFINITY,
    };
  };
  for (let i = now.length; i >= 0; i -= 1) {
    for (let j = before.length; j >= 0; j -= 1) {
      const row = costs[i];
      if (row === undefined || (i === now.length && j === before.length)) continue;
      const { both, removed, added } = choices(i, j);
      row[j] = Math.min(both, removed, added);
    }
  }
  const pairs: LayerPair[] = [];
  let [i, j] = [0, 0];
  while (i < now.length || j < before.length) {
    const { both, removed, added } = choices(i, j);
    const least = Math.min(both, removed, added);
    if (both === least) {
      pairs.push({ now: now[i] ?? null, before: before[j] ?? null });
      i += 1;
      j += 1;
    } else if (removed === least) {
      pairs.push({ now: null, before: before[j] ?? null });
      j += 1;
    } else {
      pairs.push({ now: now[i] ?? null, before: null });
      i += 1;
    }
  }
  return pairs;
}

/**
 * Aligns an agent's networks with its parent's.
 * @param before null if the parent's are unknown; nothing then counts as changed
 */
export function pairNetworks(
  now: readonly NetworkStructure[],
  before: readonly NetworkStructure[] | null,
): readonly NetworkPair[] {
  return now.map((network) => {
    const { name, layers, parameters } = network;
    const other = before === null ? network : before.find((one) => one.name === name);
    return {
      name,
      parameters,
      layers: alignLayers(layers, other?.layers ?? []),
      before: before === null ? null : (other?.parameters ?? null),
    };
  });
}

/** Whether a layer differs from the parent's. */
export const isChanged = ({ now, before }: LayerPair): boolean =>
  now === null ||
  before === null ||
  now.width !== before.width ||
  now.activation !== before.activation ||
  now.norm !== before.norm;

/** A network's number of parameters, with the difference from the parent's; "" if unknown. */
export function parametersText({ parameters, before }: NetworkPair): string {
  if (!Number.isFinite(parameters)) return "";
  const change = before === null ? 0 : parameters - before;
  const sign = change > 0 ? "+" : "−";
  return `${formatCount(parameters)} parameters${change === 0 ? "" : ` (${sign}${formatCount(Math.abs(change))})`}`;
}

/** A layer's width, with the parent's if it differs. */
export function widthText({ now, before }: LayerPair): string {
  if (now === null) return `−${formatCount(before?.width ?? 0)}`;
  if (before === null) return `+${formatCount(now.width)}`;
  return now.width === before.width
    ? formatCount(now.width)
    : `${formatCount(before.width)} → ${formatCount(now.width)}`;
}

/** A layer's activation, with the parent's if it differs. */
export function activationText({ now, before }: LayerPair): string {
  const name = (layer: LayerPair["now"]): string => layer?.activation ?? NONE;
  if (now === null || before === null || now.activation === before.activation) return name(now ?? before);
  return `${name(before)} → ${name(now)}`;
}

/** How a layer differs from the parent's, as text. */
export function changeText(pair: LayerPair): string {
  if (pair.now === null) return "removed";
  if (pair.before === null) return "added";
  return isChanged(pair) ? "changed" : "unchanged";
}
