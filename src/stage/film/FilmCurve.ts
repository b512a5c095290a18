/** The curve of best fitness below a film's stage. */
import type { FilmOrder } from "../stageProtocol.ts";
import type { Rectangle } from "../tileGrid.ts";

/** A point of the curve, in the units of the picture. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Part of the height that is left free above and below the values. */
const ROOM = 0.08;

export class FilmCurve {
  readonly #curve: FilmOrder["curve"];
  readonly #place: Rectangle;
  /** Values at the lower and the upper edge. */
  readonly low: number;
  readonly high: number;

  constructor(curve: FilmOrder["curve"], place: Rectangle) {
    this.#curve = curve;
    this.#place = place;
    const known = Array.from(curve.best).filter(Number.isFinite);
    if (curve.target !== null) known.push(curve.target);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const room = (high > low ? high - low : 1) * ROOM;
    this.low = known.length === 0 ? 0 : low - room;
    this.high = known.length === 0 ? 1 : high + room;
  }

  /** The height of a value. */
  y(value: number): number {
    const { y, height } = this.#place;
    return y + height * (1 - (value - this.low) / (this.high - this.low));
  }

  /** The place of a generation, which may lie between two. */
  x(generation: number): number {
    const { x, width } = this.#place;
    const { generation: all } = this.#curve;
    const [first, last] = [all[0] ?? 0, all[all.length - 1] ?? 0];
    return last > first ? x + (width * (generation - first)) / (last - first) : x + width;
  }

  /** The curve up to a generation. Generations without a fitness are left out. */
  upTo(generation: number): readonly Point[] {
    const { generation: all, best } = this.#curve;
    const points: Point[] = [];
    let last: readonly [number, number] | null = null;
    for (let row = 0; row < all.length; row++) {
      const [own, value] = [all[row] ?? 0, best[row] ?? Number.NaN];
      if (!Number.isFinite(value)) continue;
      if (own > generation) {
        if (last === null || last[0] >= generation) break;
        const part = (generation - last[0]) / (own - last[0]);
        points.push({ x: this.x(generation), y: this.y(last[1] + part * (value - last[1])) });
        break;
      }
      points.push({ x: this.x(own), y: this.y(value) });
      last = [own, value];
    }
    return points;
  }
}
