/** The core of a language-model agent: its policy on a device, and its algorithm's learning. */
import type { GradientAlgorithm, LlmAlgorithm, MismatchedBatch } from "../algorithms/contract.ts";
import { type ActingEngine, type ActorCopies, Decodings, type Growing } from "../engine/Decodings.ts";
import type { ModelOnDevice } from "../engine/ModelOnDevice.ts";
import { Policy, type PolicyShape, type Sequences } from "../engine/Policy.ts";
import { inPasses } from "../engine/passes.ts";
import { copiesTogether, Evolution, type EvolutionFields } from "./Evolution.ts";
import { Learner, type LearningFields, type Metrics, type UpdatePlace } from "./Learner.ts";
import type { Experiences, LabelledSequences, LearnResult } from "./learntBatches.ts";
import { mismatchedSequences } from "./mismatched.ts";

/** Means over the masked columns of each row, NaN for a row without: [rows]. */
function maskedRowMeans(values: Float32Array, mask: Float32Array, rows: number): Float32Array {
  const columns = values.length / Math.max(1, rows);
  return Float32Array.from({ length: rows }, (_, row) => {
    let [sum, count] = [0, 0];
    for (let i = row * columns; i < (row + 1) * columns; i++) {
      if (mask[i] !== 1) continue;
      sum += values[i] ?? 0;
      count += 1;
    }
    return sum / count;
  });
}

/**
 * Largest distance of ratios from 1 in the first micro-batch after a rollout; rounding alone stays below it.
 */
const RATIO_TOLERANCE = 1e-4;

/**
 * Largest distance of a token's ratio from 1, to first order, between the sampling and the learning model; 0
 * if there are no sampling log-probabilities.
 */
function drift(old_log_probs: Float32Array, { sampling_log_probs, action_mask }: Experiences): number {
  if (sampling_log_probs === undefined) return 0;
  let most = 0;
  for (const [i, own] of action_mask.entries())
    if (own === 1) most = Math.max(most, Math.abs((old_log_probs[i] ?? 0) - (sampling_log_probs[i] ?? 0)));
  return most;
}

/** Without the generated tokens of sequences that have no reward (NaN), which are then ignored everywhere. */
function scored(experiences: Experiences): Experiences {
  const { rewards, turns, sequences } = experiences;
  if (!rewards.some(Number.isNaN)) return experiences;
  const [columns, action_mask] = [sequences.length - 1, experiences.action_mask.slice()];
  const turn_ids = experiences.turn_ids.slice();
  for (let row = 0; row < sequences.rows; row++) {
    if (!rewards.subarray(row * turns, (row + 1) * turns).some(Number.isNaN)) continue;
    action_mask.fill(0, row * columns, (row + 1) * columns);
    turn_ids.fill(-1, row * columns, (row + 1) * columns);
  }
  return { ...experiences, action_mask, turn_ids };
}

export class AgentCore<S extends object> {
  readonly policy: Policy;
  /** What moves the policy of an algorithm without gradients. */
  readonly evolution: Evolution;
  readonly #algorithm: LlmAlgorithm<S>;
  readonly #learner: Learner<S & LearningFields>;
  readonly #decodings: Decodings;

  /** @param acts What generates completions. */
  constructor(
    model: ModelOnDevice,
    shape: PolicyShape,
    algorithm: LlmAlgorithm<S>,
    acts: ActingEngine = "kernels",
  ) {
    this.policy = new Policy(model, shape);
    this.#decodings = new Decodings(this.policy, acts);
    this.#algorithm = algorithm;
    this.evolution = new Evolution(this.policy);
    // An algorithm without gradients does not come to use it.
    this.#learner = new Learner(this.policy, algorithm as GradientAlgorithm<S & LearningFields>);
  }

  /** An empty cache for `rows` rows, with the current actor, or copies of it, as its policy. */
  decoding(rows: number, capacity: number, copies: ActorCopies | null = null): Promise<Growing> {
    return this.#decodings.open(rows, capacity, copies);
  }

  /** The number of perturbed copies that answer their prompts at once. */
  copiesTogether(fields: Pick<EvolutionFields, "perturbations" | "batch_size">): number {
    return this.#decodings.takes_copies ? copiesTogether(fields) : 1;
  }

  logProbs(role: "actor" | "reference", sequences: Sequences, temperature: number): Promise<Float32Array> {
    return this.#inPasses(sequences, this.policy.model.config.vocab_size, (part) =>
      this.policy.logProbs(role, part, temperature),
    );
  }

  /**
   * Metric `ratio_error` is the largest distance of a ratio from 1 in the first micro-batch. With
   * `sampling_log_probs`, it includes the difference between what acts and what learns, and a
   * warning reports an error above rounding. Sequences with a reward of NaN are ignored; without any other, nothing is
   * learned.
   * @throws DivergedError if the loss is not finite.
   */
  async learnRollouts(given: Experiences, spec: S, place: UpdatePlace): Promise<LearnResult> {
    const experiences = scored(given);
    if (!experiences.action_mask.includes(1)) return { metrics: { loss: 0 }, warnings: [] };
    const { batch, warnings, drift, ...prepared } = await this.#prepareRollouts(experiences, spec);
    const { advantage = new Float32Array() } = batch.inputs;
    const metrics = await this.#learner.learn(batch, this.#learning(spec), place);
    const ratio_error = Math.max(metrics.ratio_error ?? 0, drift);
    const strayed = `ratio_error is above ${RATIO_TOLERANCE}: the token probabilities during learning differ from those at sampling`;
    const isStray = experiences.sampling_log_probs !== undefined && !(ratio_error <= RATIO_TOLERANCE);
    return {
      metrics: { ...metrics, ...prepared.metrics, ratio_error },
      warnings: isStray ? [...warnings, strayed] : warnings,
      advantages: maskedRowMeans(advantage, experiences.action_mask, experiences.sequences.rows),
    };
  }

  /** @throws DivergedError if the loss is not finite. */
  async learnLabelled(labelled: LabelledSequences, spec: S, place: UpdatePlace): Promise<LearnResult> {
    const batch = await this.#prepareLabelled(labelled, spec);
    return { metrics: await this.#learner.learn(batch, this.#learning(spec), place), warnings: [] };
  }

  /** Metrics and gradients of a batch as one micro-batch, without an update. */
  async lossAndGradients(
    batch: Experiences | LabelledSequences,
    spec: S,
  ): Promise<{ readonly metrics: Metrics; readonly gradients: ReadonlyMap<string, Float32Array> }> {
    const prepared =
      "turn_ids" in batch
        ? (await this.#prepareRollouts(scored(batch), spec)).batch
        : await this.#prepareLabelled(batch, spec);
    return this.#learner.lossAndGradients(prepared, this.#learning(spec));
  }

  /** @throws TypeError for a spec of an algorithm that does not learn from batches. */
  #learning(spec: S): S & LearningFields {
    const { kind, spec: definition } = this.#algorithm;
    if (kind !== "evolution") return spec as S & LearningFields; // all others have them
    throw new TypeError(
      `${definition.name} learns from episodes of perturbed copies, in a run or in trainLlmRollout; found a batch of experiences`,
    );
  }

  /** Computes one number per next token, in passes that hold `width` numbers per token. */
  #inPasses(
    sequences: Sequences,
    width: number,
    pass: (part: Sequences) => Promise<Float32Array>,
  ): Promise<Float32Array> {
    const columns = sequences.length - 1;
    return inPasses(sequences, { needed: columns * width, given: columns }, pass);
  }

  async #prepareRollouts(experiences: Experiences, spec: S) {
    const temperature = this.#learning(spec).temperature || 1;
    const algorithm = this.#algorithm;
    if (algorithm.kind !== "rollout")
      throw new TypeError("experiences: found rollouts, allowed labelled rows");
    const { sequences } = experiences;
    const old_log_probs = experiences.old_log_probs ?? (await this.logProbs("actor", sequences, temperature));
    const reference_log_probs =
      experiences.reference_log_probs ?? (await this.logProbs("reference", sequences, temperature));
    const values = algorithm.critic
      ? await this.#inPasses(sequences, this.policy.model.config.hidden_size, (part) =>
          this.policy.values(part),
        )
      : null;
    const { inputs, warnings, metrics } = algorithm.prepare(
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
    return {
      batch: { sequences, turns: experiences.turns, inputs },
      warnings,
      metrics,
      drift: drift(old_log_probs, experiences),
    };
  }

  async #prepareLabelled(labelled: LabelledSequences, spec: S) {
    const { sequences, action_mask, labels = null } = labelled;
    const algorithm = this.#algorithm;
    if (algorithm.kind !== "dataset")
      throw new TypeError("experiences: found labelled rows, allowed rollouts");
    const { inputs } = algorithm.prepare(
      {
        rows: sequences.rows,
        columns: sequences.length - 1,
        action_mask,
        reference_log_probs: algorithm.reference(spec)
          ? await this.logProbs("reference", sequences, 1)
          : null,
        labels,
        mismatched: algorithm.mismatches ? await this.#mismatched(labelled) : null,
      },
      spec,
    );
    return { sequences, turns: 1, inputs };
  }

  /** Log-probabilities of responses behind prompts of other rows. */
  async #mismatched(labelled: LabelledSequences): Promise<MismatchedBatch> {
    const mixed = mismatchedSequences(labelled, this.policy.model.positions);
    const none = new Float32Array(0);
    if (mixed === null) return { columns: 0, action_mask: none, log_probs: none, reference_log_probs: none };
    const { sequences, action_mask } = mixed;
    return {
      columns: sequences.length - 1,
      action_mask,
      log_probs: await this.logProbs("actor", sequences, 1),
      reference_log_probs: await this.logProbs("reference", sequences, 1),
    };
  }

  release(): void {
    this.#decodings.release();
    this.evolution.release();
    this.policy.release();
  }
}
