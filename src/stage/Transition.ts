/**
 * How one cast replaces another: losers fade, winners split, and their copies slide into the losers' places.
 */
import type { Rectangle } from "./tileGrid.ts";

/** Duration, milliseconds. */
export const TRANSITION = 400;

/** Fractions of the duration: leaving tiles have faded by `FADED`, and winners stay split until `SPLIT`. */
const FADED = 0.6;
const SPLIT = 0.35;
/** Maximum gap in the middle of a splitting tile, CSS pixels. */
const GAP = 8;

/** The change of one tile. */
export interface Change {
  readonly place: Rectangle;
  /** Tile that the new player comes from; null if the player stays or its origin is unknown. */
  readonly from: Rectangle | null;
  /** Whether the previous player leaves. */
  readonly leaves: boolean;
}

/** A tile during the transition. */
export interface Stroke {
  /** Part of the previous picture that is drawn. */
  readonly source: Rectangle;
  readonly target: Rectangle;
  readonly opacity: number;
  /** 0: unchanged; 1: without colour. */
  readonly grey: number;
}

/** Smoothstep: slow at both ends. */
const eased = (t: number): number => t * t * (3 - 2 * t);
const part = (t: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (t - from) / (to - from)));
const between = (a: number, b: number, t: number): number => a + (b - a) * t;

/** The two halves of a tile that splits. */
function halves(place: Rectangle, gap: number): Stroke[] {
  const { x, y, width, height } = place;
  const half = width / 2;
  return [0, 1].map((side) => ({
    source: { x: x + side * half, y, width: half, height },
    target: { x: x + side * half + (side - 0.5) * gap, y, width: half - gap / 2, height },
    opacity: 1,
    grey: 0,
  }));
}

/** Pieces of the previous picture to draw, lowest first. @param t 0 to 1. */
export function strokesAt(changes: readonly Change[], t: number): readonly Stroke[] {
  const isParent = (place: Rectangle): boolean =>
    changes.some(({ from }) => from !== null && from.x === place.x && from.y === place.y);
  const standing = changes.flatMap(({ place, leaves }): readonly Stroke[] => {
    if (leaves) {
      const grey = part(t, 0, FADED);
      return [{ source: place, target: place, opacity: 1 - 0.7 * grey, grey }];
    }
    const gap = t < SPLIT && isParent(place) ? GAP * Math.sin((Math.PI * t) / SPLIT) : 0;
    return gap > 0 ? halves(place, gap) : [{ source: place, target: place, opacity: 1, grey: 0 }];
  });
  const sliding = changes.flatMap(({ place, from }): readonly Stroke[] => {
    const way = eased(part(t, SPLIT / 2, 1));
    if (from === null || way === 0) return [];
    const target = {
      x: between(from.x, place.x, way),
      y: between(from.y, place.y, way),
      width: between(from.width, place.width, way),
      height: between(from.height, place.height, way),
    };
    return [{ source: from, target, opacity: 1, grey: 0 }];
  });
  return [...standing, ...sliding];
}
