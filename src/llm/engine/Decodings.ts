/** Key-value caches of one policy, by size. */
import type { Program } from "../../kernels/index.ts";
import { actProgram } from "./actProgram.ts";
import { Decoding } from "./Decoding.ts";
import type { Policy } from "./Policy.ts";

export type { Decoding };

/** Number of caches to keep, for rollouts and evaluations. */
const KEPT = 3;

export class Decodings {
  readonly #policy: Policy;
  #program: Program | null = null;
  readonly #kept = new Map<string, Decoding>();

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** An empty cache for `rows` rows of `capacity` tokens. */
  async open(rows: number, capacity: number): Promise<Decoding> {
    const key = `${rows} ${capacity}`;
    const kept = this.#kept.get(key);
    if (kept) {
      kept.restart();
      return kept;
    }
    for (const [oldest, session] of this.#kept) {
      if (this.#kept.size < KEPT) break;
      session.release();
      this.#kept.delete(oldest);
    }
    this.#program ??= actProgram(this.#policy.model.config, this.#policy.shape.tuning);
    const session = await Decoding.open(this.#policy, this.#program, rows, capacity);
    this.#kept.set(key, session);
    return session;
  }

  release(): void {
    for (const session of this.#kept.values()) session.release();
    this.#kept.clear();
  }
}
