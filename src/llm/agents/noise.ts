/**
 * Standard normal noise on weights, drawn again wherever it is needed. A matrix may have noise of low rank,
 * A B^T / sqrt(r) (Sarkar et al. 2025, arXiv 2511.16652).
 */
import { hostKey, type RandomKey, randomNormal } from "../../kernels/functions.ts";
import { state, sym, trace, type WasmArena, WasmDevice } from "../../kernels/index.ts";
import type { OwnWeight } from "../models/WeightSource.ts";

/** Which noise: of one direction in one update of a member. */
export interface NoisePlace {
  readonly seed: number;
  readonly slot: number;
  /** Number of earlier updates. */
  readonly updates: number;
  readonly direction: number;
}

/** Of full rank, or the columns of its factors: `left` as long as the weight has rows, `right` as its rows are. */
export type Noise =
  | { readonly full: Float32Array }
  | { readonly factors: readonly { readonly left: Float32Array; readonly right: Float32Array }[] };

/** Separates these draws from others with the same numbers. */
const PURPOSE = 0x6e6f6973;

const KEY = ["noise.high", "noise.low"] as const;
const DRAWN = ["noise.0", "noise.1", "noise.2", "noise.3"] as const;
const LANES = "lanes";

/** A quarter of each draw in each of four buffers. */
const drawing = () =>
  trace("noise", () => {
    const [high, low] = KEY.map((name) => state(name, [], { dtype: "u32" }).read());
    const key = { key: [high, low], stream: 0, step: high } as RandomKey; // there are two
    const drawn = randomNormal(key, sym(LANES));
    for (const [i, own] of drawn.entries()) state(DRAWN[i] as string, [sym(LANES)]).write(own); // there are four
  });

/** Draws noise on wasm, so that it has the same bits wherever the policy is. */
export class NoiseSource {
  readonly #device = new WasmDevice();
  readonly #program = drawing();
  /** Buffers by size. */
  readonly #made = new Map<number, { readonly arena: WasmArena; readonly run: () => void }>();

  /**
   * @param index Place of the weight in the policy.
   * @param rank Largest rank of the noise on a matrix with more rows and columns; null for full rank.
   */
  draw({ shape }: OwnWeight, index: number, place: NoisePlace, rank: number | null): Noise {
    const [rows = 1, columns] = shape;
    if (rank === null || columns === undefined || Math.min(rows, columns) <= rank)
      return { full: this.#normals(index, place, rows * (columns ?? 1)) };
    const size = rows + columns;
    const all = this.#normals(index, place, rank * size);
    const factors = Array.from({ length: rank }, (_, i) => ({
      left: all.subarray(i * size, i * size + rows),
      right: all.subarray(i * size + rows, (i + 1) * size),
    }));
    return { factors };
  }

  #normals(index: number, { seed, slot, updates, direction }: NoisePlace, size: number): Float32Array {
    const lanes = Math.ceil(size / DRAWN.length);
    const { arena, run } = this.#buffers(lanes);
    const words = hostKey(PURPOSE, seed, slot, updates, direction, index);
    for (const [i, name] of KEY.entries()) arena.write(name, [words[i] as number]); // one for each
    run();
    const all = new Float32Array(DRAWN.length * lanes);
    for (const [i, name] of DRAWN.entries()) all.set(arena.view(name), i * lanes);
    return all.subarray(0, size);
  }

  #buffers(lanes: number) {
    const known = this.#made.get(lanes);
    if (known) return known;
    const arena = this.#device.arena(this.#program.states.values(), { [LANES]: lanes });
    const bound = this.#device.compile(this.#program).bind(arena);
    const made = { arena, run: () => bound.run() };
    this.#made.set(lanes, made);
    return made;
  }

  release(): void {
    this.#device.close();
  }
}

/** Adds noise times a factor to the values of its weight. */
export function addNoise(to: Float32Array, noise: Noise, factor: number): void {
  if ("full" in noise) {
    for (let i = 0; i < to.length; i++) to[i] = (to[i] as number) + factor * (noise.full[i] as number);
    return;
  }
  const scale = factor / Math.sqrt(noise.factors.length);
  for (const { left, right } of noise.factors) {
    const columns = right.length;
    for (let row = 0, i = 0; row < left.length; row++) {
      const own = scale * (left[row] as number);
      for (let column = 0; column < columns; column++, i++)
        to[i] = (to[i] as number) + own * (right[column] as number);
    }
  }
}
