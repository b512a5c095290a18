/** A language-model agent's inside: its policy on a device, and how its algorithm learns. */

import type { Program } from "../../kernels/index.ts";
import type { LlmAlgorithm, RolloutBatch } from "../algorithms/contract.ts";
import { actProgram } from "../engine/actProgram.ts";
import { Decoding } from "../engine/Decoding.ts";
import type { ModelOnDevice } from "../engine/ModelOnDevice.ts";
import { Policy, type PolicyShape, type Sequences } from "../engine/Policy.ts";
import { Learner, type LearningFields, type Metrics, type UpdatePlace } from "./Learner.ts";
import { rowsOf } from "./microBatches.ts";

/** A batch of rollouts before log-probabilities were computed. */
export type Experiences = Omit<
  RolloutBatch,
  "rows" | "columns" | "old_log_probs" | "reference_log_probs" | "values"
> & {
  readonly sequences: Sequences;
  readonly old_log_probs?: Float32Array | undefined;
  readonly reference_log_probs?: Float32Array | undefined;
};

/** Labelled sequences; pairs of DPO are two rows in succession. */
export interface LabelledSequences {
  readonly sequences: Sequences;
  /** 1 where the next token belongs to the response: [rows, T - 1]. */
  readonly action_mask: Float32Array;
}

export interface LearnResult {
  readonly metrics: Metrics;
  readonly warnings: readonly string[];
}

/** Caches that are kept: of rollouts and of evaluations. */
const KEPT_CACHES = 3;

/** Logits of one pass at most: 64 MB. */
const PASS_LOGITS = 16 * 2 ** 20;

/** A pass's result over all rows, some rows at a time. */
async function inPasses(
  sequences: Sequences,
  vocabulary: number,
  pass: (part: Sequences) => Promise<Float32Array>,
): Promise<Float32Array> {
  const columns = sequences.length - 1;
  const all = new Float32Array(sequences.rows * columns);
  const size = Math.max(1, Math.floor(PASS_LOGITS / Math.max(1, columns * vocabulary)));
  for (let from = 0; from < sequences.rows; from += size) {
    const rows = Array.from({ length: Math.min(size, sequences.rows - from) }, (_, i) => from + i);
    all.set(await pass(rowsOf(sequences, rows)), from * columns);
  }
  return all;
}

export class AgentCore<S extends LearningFields> {
  readonly policy: Policy;
  readonly #algorithm: LlmAlgorithm<S>;
  readonly #learner: Learner<S>;
  /** What acts where it is not what learns: a copy of the actor. */
  readonly #copy: Policy | null;
  /** Revision of the policy that was copied last. */
  #copied = -1;
  #act: Program | null = null;
  /** Caches by their size, those used last. */
  readonly #decodings = new Map<string, Decoding>();

  /** @param acting What generates, if that is not on the device that learns. */
  constructor(
    model: ModelOnDevice,
    shape: PolicyShape,
    algorithm: LlmAlgorithm<S>,
    acting: ModelOnDevice | null = null,
  ) {
    this.policy = new Policy(model, shape);
    const { tuning } = shape;
    this.#copy = acting && new Policy(acting, { tuning, reference: false, critic: false, acts_only: true });
    this.#algorithm = algorithm;
    this.#learner = new Learner(this.policy, algorithm);
  }

  /** A cache for so many rows, as if nothing had been read; its policy is the actor as it is now. */
  async decoding(rows: number, capacity: number): Promise<Decoding> {
    await this.#copyActor();
    const key = `${rows} ${capacity}`;
    const kept = this.#decodings.get(key);
    if (kept) {
      kept.restart();
      return kept;
    }
    for (const [oldest, session] of this.#decodings) {
      if (this.#decodings.size < KEPT_CACHES) break;
      session.release();
      this.#decodings.delete(oldest);
    }
    this.#act ??= actProgram(this.policy.model.config, this.policy.shape.tuning);
    const session = await Decoding.open(this.#copy ?? this.policy, this.#act, rows, capacity);
    this.#decodings.set(key, session);
    return session;
  }

  async #copyActor(): Promise<void> {
    const { revision } = this.policy;
    if (!this.#copy || revision === this.#copied) return;
    this.#copy.write(await this.policy.read(this.policy.names("actor")));
    this.#copied = revision;
  }

  logProbs(role: "actor" | "reference", sequences: Sequences, temperature: number): Promise<Float32Array> {
    return inPasses(sequences, this.policy.model.config.vocab_size, (part) =>
      this.policy.logProbs(role, part, temperature),
    );
  }

  /** @throws DivergedError where the loss is not finite. */
  async learnRollouts(experiences: Experiences, spec: S, place: UpdatePlace): Promise<LearnResult> {
    const { batch, warnings } = await this.#prepareRollouts(experiences, spec);
    return { metrics: await this.#learner.learn(batch, spec, place), warnings };
  }

  /** @throws DivergedError where the loss is not finite. */
  async learnLabelled(labelled: LabelledSequences, spec: S, place: UpdatePlace): Promise<LearnResult> {
    const batch = await this.#prepareLabelled(labelled, spec);
    return { metrics: await this.#learner.learn(batch, spec, place), warnings: [] };
  }

  /** Metrics and gradients of a batch as one micro-batch; nothing is learned. */
  async lossAndGradients(
    batch: Experiences | LabelledSequences,
    spec: S,
  ): Promise<{ readonly metrics: Metrics; readonly gradients: ReadonlyMap<string, Float32Array> }> {
    const prepared =
      "turn_ids" in batch
        ? (await this.#prepareRollouts(batch, spec)).batch
        : await this.#prepareLabelled(batch, spec);
    return this.#learner.lossAndGradients(prepared, spec);
  }

  async #prepareRollouts(experiences: Experiences, spec: S) {
    const algorithm = this.#algorithm;
    if (algorithm.kind !== "rollout")
      throw new TypeError("experiences: found rollouts, allowed labelled rows");
    const { sequences } = experiences;
    const temperature = spec.temperature || 1;
    const old_log_probs = experiences.old_log_probs ?? (await this.logProbs("actor", sequences, temperature));
    const reference_log_probs =
      experiences.reference_log_probs ?? (await this.logProbs("reference", sequences, temperature));
    const values = algorithm.critic
      ? await inPasses(sequences, this.policy.model.config.hidden_size, (part) => this.policy.values(part))
      : null;
    const { inputs, warnings } = algorithm.prepare(
      {
        ...experiences,
        rows: sequences.rows,
        columns: sequences.length - 1,
        old_log_probs,
        reference_log_probs,
        values,
      },
      spec,
    );
    return { batch: { sequences, turns: experiences.turns, inputs }, warnings };
  }

  async #prepareLabelled({ sequences, action_mask }: LabelledSequences, spec: S) {
    const algorithm = this.#algorithm;
    if (algorithm.kind !== "dataset")
      throw new TypeError("experiences: found labelled rows, allowed rollouts");
    const { inputs } = algorithm.prepare(
      {
        rows: sequences.rows,
        columns: sequences.length - 1,
        action_mask,
        reference_log_probs: algorithm.reference ? await this.logProbs("reference", sequences, 1) : null,
      },
      spec,
    );
    return { sequences, turns: 1, inputs };
  }

  release(): void {
    for (const session of this.#decodings.values()) session.release();
    this.#decodings.clear();
    this.#copy?.release();
    this.policy.release();
  }
}
