/** Key-value caches of one policy, by size. */
import type { Program } from "../../kernels/index.ts";
import { actProgram } from "./actProgram.ts";
import { Decoding } from "./Decoding.ts";
import { OnnxActor } from "./OnnxActor.ts";
import type { Policy } from "./Policy.ts";

/** Number of caches to keep, for rollouts and evaluations. */
const KEPT = 3;

/**
 * What generates completions: onnxruntime's CPU provider, or the programs of the policy's own device. On a device of
 * onnxruntime both are the same.
 */
export type ActingEngine = (typeof ACTING_ENGINES)[number];
export const ACTING_ENGINES = ["onnxruntime", "kernels"] as const;

/** Sequences that grow in parallel. */
export type Growing = Pick<Decoding, "rows" | "bytes" | "length" | "extend">;

export class Decodings {
  readonly #policy: Policy;
  readonly #actor: OnnxActor | null;
  #program: Program | null = null;
  readonly #kept = new Map<string, Decoding>();

  constructor(policy: Policy, acts: ActingEngine = "kernels") {
    this.#policy = policy;
    this.#actor =
      acts === "onnxruntime" && policy.model.device.kind === "wasm" ? new OnnxActor(policy) : null;
  }

  /**
   * An empty cache for `rows` rows of `capacity` tokens, with the policy's present actor. It replaces smaller ones of as
   * many rows.
   */
  async open(rows: number, capacity: number): Promise<Growing> {
    if (this.#actor) return this.#actor.open(rows, capacity);
    const key = `${rows} ${capacity}`;
    const kept = this.#kept.get(key);
    if (kept) {
      kept.restart();
      return kept;
    }
    for (const [oldest, session] of this.#kept) {
      const isReplaced = session.rows === rows && session.capacity < capacity;
      if (this.#kept.size < KEPT && !isReplaced) continue;
      session.release();
      this.#kept.delete(oldest);
    }
    const { model, shape } = this.#policy;
    this.#program ??= actProgram(model.config, shape.tuning, model.weights);
    const session = await Decoding.open(this.#policy, this.#program, rows, capacity);
    this.#kept.set(key, session);
    return session;
  }

  release(): void {
    for (const session of this.#kept.values()) session.release();
    this.#kept.clear();
    this.#actor?.release();
  }
}
