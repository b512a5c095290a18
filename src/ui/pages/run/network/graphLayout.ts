/** Where the nodes of a network's graph are drawn. */
import type { GraphBlock, NetworkGraph } from "./networkGraph.ts";

/** Sizes in pixels. */
const SIDE = 34;
const HEAD = 44;
const FOOT = 40;
/** Between the centres of columns at least; narrower places scroll. */
const NARROWEST = 62;
/** Between nodes of a column at most, and for the fullest column wanted. */
const WIDEST_STEP = 24;
const WANTED_STEP = 7;
const [LOWEST, TALLEST] = [150, 440] as const;
/** Between two blocks of a column: room for the words of both. */
const BETWEEN = 64;
const [SMALLEST, LARGEST] = [2, 7] as const;
/** Names of nodes are written where nodes are this far apart; width of a letter, and the space beside a node. */
const [READABLE, LETTER, GAP] = [12, 6.4, 14] as const;

/** A block in its place. */
export interface PlacedBlock {
  readonly block: GraphBlock;
  /** Centre of its column. */
  readonly x: number;
  /** Centre of each node. */
  readonly ys: readonly number[];
  readonly radius: number;
  /** On which side the names of its nodes are written; null where there is no room, or none. */
  readonly named: "left" | "right" | null;
  /** Baselines of the words above and below it. */
  readonly top: number;
  readonly bottom: number;
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly blocks: readonly PlacedBlock[];
}

/** @param room Width of the place in pixels; the layout is wider if there are too many columns for it. */
export function graphLayout({ blocks }: Pick<NetworkGraph, "blocks">, room: number): GraphLayout {
  const columns = 1 + Math.max(0, ...blocks.map(({ column }) => column));
  const within = Array.from({ length: columns }, (_, column) =>
    blocks.filter((block) => block.column === column),
  );
  const needed = within.map((each) => {
    const nodes = each.reduce((sum, block) => sum + block.nodes.length, 0);
    return nodes * WANTED_STEP + Math.max(0, each.length - 1) * BETWEEN;
  });
  const body = Math.min(TALLEST, Math.max(LOWEST, ...needed));
  const pitchOf = (each: readonly GraphBlock[]): number => {
    const nodes = each.reduce((sum, block) => sum + block.nodes.length, 0);
    const free = body - Math.max(0, each.length - 1) * BETWEEN;
    return Math.min(WIDEST_STEP, free / Math.max(1, nodes));
  };
  /** Width beside the first or the last column, for the names of its nodes. */
  const sideOf = (column: number): number => {
    const each = within[column] ?? [];
    const letters = each.flatMap(({ names }) => names ?? []).map(({ length }) => length);
    return pitchOf(each) < READABLE ? SIDE : Math.max(SIDE, GAP + LETTER * Math.max(0, ...letters));
  };
  const [left, right] = columns === 1 ? [SIDE, SIDE] : [sideOf(0), sideOf(columns - 1)];
  const width = Math.max(room, left + right + (columns - 1) * NARROWEST);
  const step = columns === 1 ? 0 : (width - left - right) / (columns - 1);
  const placed = new Map<GraphBlock, PlacedBlock>();
  for (const [column, each] of within.entries()) {
    const nodes = each.reduce((sum, block) => sum + block.nodes.length, 0);
    const pitch = pitchOf(each);
    const side = column === 0 ? "left" : column === columns - 1 ? "right" : null;
    const tall = nodes * pitch + Math.max(0, each.length - 1) * BETWEEN;
    let y = HEAD + (body - tall) / 2;
    for (const block of each) {
      const ys = block.nodes.map((_, node) => y + (node + 0.5) * pitch);
      const end = y + block.nodes.length * pitch;
      placed.set(block, {
        block,
        x: columns === 1 ? width / 2 : left + column * step,
        ys,
        named: block.names === null || pitch < READABLE ? null : side,
        radius: Math.min(LARGEST, Math.max(SMALLEST, 0.4 * pitch)),
        top: y - 6,
        bottom: end + 14,
      });
      y = end + BETWEEN;
    }
  }
  return {
    width,
    height: HEAD + body + FOOT,
    // The order of the blocks is that of the edges' indices.
    blocks: blocks.flatMap((block) => placed.get(block) ?? []),
  };
}
