/** Key-value caches of one policy, by size. */
import type { Program } from "../../kernels/index.ts";
import { actProgram } from "./actProgram.ts";
import { type ActorCopies, Decoding } from "./Decoding.ts";
import { OnnxActor } from "./OnnxActor.ts";
import type { Policy } from "./Policy.ts";

export type { ActorCopies } from "./Decoding.ts";

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
  readonly #programs = new Map<boolean, Program>();
  readonly #kept = new Map<string, Decoding>();

  /** Whether copies of the actor can generate side by side: those of an adapter, where kernels act. */
  get takes_copies(): boolean {
    return (
      this.#actor === null &&
      this.#policy.model.device.kind === "wasm" &&
      this.#policy.shape.tuning.kind === "adapter"
    );
  }

  constructor(policy: Policy, acts: ActingEngine = "kernels") {
    this.#policy = policy;
    this.#actor =
      acts === "onnxruntime" && policy.model.device.kind === "wasm" ? new OnnxActor(policy) : null;
  }

  /**
   * An empty cache for `rows` rows of `capacity` tokens, with the policy's present actor. It replaces smaller ones of as
   * many rows.
   * @param copies Copies of the actor in its place, which ONNX Runtime does not take (default: none).
   */
  async open(rows: number, capacity: number, copies: ActorCopies | null = null): Promise<Growing> {
    if (this.#actor) return this.#actor.open(rows, capacity);
    const key = `${rows} ${capacity} ${copies !== null}`;
    const kept = this.#kept.get(key);
    if (kept?.copies === copies) {
      kept.restart();
      return kept;
    }
    for (const [oldest, session] of this.#kept) {
      const isAlike = session.rows === rows && (session.copies !== null) === (copies !== null);
      const isReplaced = oldest === key || (isAlike && session.capacity < capacity);
      if (this.#kept.size < KEPT && !isReplaced) continue;
      session.release();
      this.#kept.delete(oldest);
    }
    const { model, shape } = this.#policy;
    const program =
      this.#programs.get(copies !== null) ??
      actProgram(model.config, shape.tuning, model.weights, copies !== null);
    this.#programs.set(copies !== null, program);
    const session = await Decoding.open(this.#policy, program, rows, capacity, copies);
    this.#kept.set(key, session);
    return session;
  }

  release(): void {
    for (const session of this.#kept.values()) session.release();
    this.#kept.clear();
    this.#actor?.release();
  }
}
