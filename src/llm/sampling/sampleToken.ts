/** Samples the next token on the host. */
import { DivergedError, logarithm } from "../../evolution/members.ts";
import { hostKey } from "../../kernels/functions.ts";
import { likeliestShare, type ShareWorkspace } from "./likeliestShare.ts";
import type { SamplingSettings } from "./SamplingSettings.ts";
import { topIds } from "./topIds.ts";

/** Below this, exp(x) is less than 2e-35 and is treated as 0. */
const LEAST = -80;
const HALVES = Float64Array.from({ length: 118 }, (_, n) => 2 ** -n);

/**
 * exp(x) for x <= 0 in plain f64 arithmetic, with the same bits in every engine and a relative error below
 * 1e-11. It is applied to whole vocabularies, and is several times as fast as `exponential`, which is
 * accurate to the last bits. exp(x) = 2^-n exp(r) with |r| <= ln 2 / 2; the Taylor series ends at r^9.
 */
export function decay(x: number): number {
  if (!(x > LEAST)) return 0;
  const n = (0.5 - x * Math.LOG2E) | 0;
  const r = x + n * Math.LN2;
  let series = 1 / 40_320 + r / 362_880;
  series = 1 / 5_040 + r * series;
  series = 1 / 720 + r * series;
  series = 1 / 120 + r * series;
  series = 1 / 24 + r * series;
  series = 1 / 6 + r * series;
  series = 0.5 + r * series;
  return (1 + r * (1 + r * series)) * (HALVES[n] ?? 0);
}

/** 1 / temperature, finite for any temperature above 0. */
const inverseOf = (temperature: number): number => Math.min(1 / temperature, 1e30);

/** The key of a random draw, which depends on nothing else. All are integers >= 0. */
interface DrawPlace {
  /** Seed of the run, up to 2^53 - 1. */
  readonly seed: number;
  /** Position in the population. */
  readonly slot: number;
  /** Outer iteration. */
  readonly iteration: number;
  /** Position in the rollout's batch. */
  readonly trajectory: number;
  /** Position of the token in its sequence. */
  readonly position: number;
}

/** Separates these draws from others with the same numbers. */
const PURPOSE = 0x746f6b65;

/** A uniform number in [0, 1) with 53 bits, a pure function of the place. */
export function uniformAt({ seed, slot, iteration, trajectory, position }: DrawPlace): number {
  const [high, low] = hostKey(PURPOSE, seed, slot, iteration, trajectory, position);
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53;
}

/** Sum of exp((z - largest) scale) over a row of logits, in f64. */
function softmaxSum(logits: Float32Array, largest: number, scale: number): number {
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += decay(((logits[i] ?? 0) - largest) * scale);
  return sum;
}

/**
 * Reusable buffers, so that sampling allocates nothing. Use one per vocabulary size, and
 * never for two samples at once.
 */
export interface SamplingWorkspace extends ShareWorkspace {
  readonly scores: Float32Array;
  readonly weights: Float64Array;
  readonly ids: Int32Array;
}

export const samplingWorkspace = (vocab_size: number): SamplingWorkspace => ({
  scores: new Float32Array(vocab_size),
  weights: new Float64Array(vocab_size),
  ids: new Int32Array(vocab_size),
  classes: new Uint16Array(vocab_size),
  edge: new Int32Array(vocab_size),
});

/** The sequence that a token is sampled for. */
export interface TokenContext {
  /** Ids so far, including the prompt; the repetition penalty applies to them. */
  readonly seen: ArrayLike<number>;
  /** Number of tokens in the completion so far. */
  readonly generated: number;
  /** 1 for allowed tokens, by id (default: all are allowed). */
  readonly allowed?: Uint8Array | null;
  readonly place: DrawPlace;
}

export interface SampledToken {
  readonly id: number;
  /** Log-probability of the id under the full softmax of the given logits, without penalty and filters. */
  readonly log_prob: number;
}

/**
 * Samples one token. Applies, in this order: repetition penalty, exclusion of stop tokens before
 * `min_output_tokens` and of suppressed and disallowed tokens, temperature, top-k, top-p, min-p. Top-p is a
 * fraction of what remains after top-k. Equal logits are ordered by id.
 *
 * @param logits One row, [vocabulary]; not modified.
 * @throws DivergedError if a logit is NaN or infinite; Error if every token is suppressed; RangeError for a
 *   workspace of another vocabulary size.
 */
export function sampleToken(
  logits: Float32Array,
  settings: SamplingSettings,
  context: TokenContext,
  workspace: SamplingWorkspace,
): SampledToken {
  const { temperature } = settings;
  if (logits.length !== workspace.scores.length)
    throw new RangeError(
      `logits: found ${logits.length}, allowed ${workspace.scores.length}, as in the workspace`,
    );
  const scores = scoresOf(logits, settings, context, workspace.scores);
  const best = likeliest(logits, scores, context.place);
  const drawn =
    temperature === 0 ? { id: best, sum: null } : draw(best, scores, settings, context.place, workspace);
  const log_prob_temperature = settings.log_prob_temperature ?? (temperature === 0 ? 1 : temperature);
  const scale = inverseOf(log_prob_temperature);
  const isPlain = scores === logits;
  const largest = isPlain ? (logits[best] ?? 0) : largestOf(logits);
  const sum =
    isPlain && log_prob_temperature === temperature && drawn.sum !== null
      ? drawn.sum
      : softmaxSum(logits, largest, scale);
  // Under the full softmax: z / tau - logsumexp(z / tau).
  const log_prob = ((logits[drawn.id] ?? Number.NaN) - largest) * scale - logarithm(sum);
  return { id: drawn.id, log_prob };
}

function largestOf(logits: Float32Array): number {
  let largest = -Infinity;
  for (let i = 0; i < logits.length; i++) largest = Math.max(largest, logits[i] ?? 0);
  return largest;
}

/**
 * Scores: logits after the penalty, with -Infinity for excluded tokens. They are the logits themselves if no rule
 * changes any.
 */
function scoresOf(
  logits: Float32Array,
  { repetition_penalty, min_output_tokens, suppress_tokens, stop_tokens }: SamplingSettings,
  { seen, generated, allowed = null }: TokenContext,
  scores: Float32Array,
): Float32Array {
  const held = generated < (min_output_tokens ?? 0) ? stop_tokens : [];
  if (repetition_penalty === 1 && allowed === null && held.length + suppress_tokens.length === 0)
    return logits;
  scores.set(logits);
  if (repetition_penalty !== 1) {
    for (let i = 0; i < seen.length; i++) {
      const id = seen[i] ?? 0;
      const logit = logits[id] ?? 0;
      scores[id] = logit > 0 ? logit / repetition_penalty : logit * repetition_penalty;
    }
  }
  for (const id of held) scores[id] = -Infinity;
  for (const id of suppress_tokens) scores[id] = -Infinity;
  if (allowed !== null)
    for (let id = 0; id < scores.length; id++) if (allowed[id] !== 1) scores[id] = -Infinity;
  return scores;
}

function likeliest(logits: Float32Array, scores: Float32Array, { slot }: DrawPlace): number {
  let best = -1;
  let highest = -Infinity;
  for (let id = 0; id < scores.length; id++) {
    const logit = logits[id] ?? 0;
    if (!Number.isFinite(logit))
      throw new DivergedError(slot, `logits[${id}]: found ${logit}, allowed finite numbers`);
    const score = scores[id] ?? 0;
    if (score > highest) {
      best = id;
      highest = score;
    }
  }
  if (best === -1)
    throw new Error(
      `suppress_tokens: no token of ${scores.length} is left to draw from; suppress fewer, lower min_output_tokens, or use a constrain_answer_pattern that the model's tokens can write`,
    );
  return best;
}

/** @returns The token, and the sum of all tokens' weights if none was left out before they were computed. */
function draw(
  best: number,
  scores: Float32Array,
  settings: SamplingSettings,
  place: DrawPlace,
  workspace: SamplingWorkspace,
): { readonly id: number; readonly sum: number | null } {
  const { weights, ids } = workspace;
  const { temperature, top_k, top_p, min_p } = settings;
  const highest = scores[best] ?? 0;
  const candidates = top_k > 0 && top_k < scores.length ? topIds(scores, top_k, ids) : allIds(scores, ids);
  const scale = inverseOf(temperature);
  let total = 0;
  for (let i = 0; i < candidates.length; i++) {
    const id = candidates[i] ?? 0;
    const weight = decay(((scores[id] ?? 0) - highest) * scale);
    weights[id] = weight;
    total += weight;
  }
  const kept =
    top_p < 1
      ? likeliestShare(candidates, { scores, weights, highest, scale }, top_p * total, workspace)
      : candidates;
  const id = drawInOrderOfIds(kept, weights, min_p, uniformAt(place));
  return { id, sum: candidates.length === scores.length ? total : null };
}

/** Ids of all tokens that are not excluded, in ascending order. */
function allIds(scores: Float32Array, ids: Int32Array): Int32Array {
  let count = 0;
  for (let id = 0; id < scores.length; id++) if (scores[id] !== -Infinity) ids[count++] = id;
  return ids.subarray(0, count);
}

/**
 * Samples from tokens with at least weight `least`. The most likely token has weight 1, so `least` is min-p.
 */
function drawInOrderOfIds(ids: Int32Array, weights: Float64Array, least: number, uniform: number): number {
  let total = 0;
  for (let i = 0; i < ids.length; i++) {
    const weight = weights[ids[i] ?? 0] ?? 0;
    if (weight >= least) total += weight;
  }
  let rest = uniform * total;
  let last = 0;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] ?? 0;
    const weight = weights[id] ?? 0;
    if (weight < least || weight === 0) continue;
    last = id;
    if (rest < weight) return id;
    rest -= weight;
  }
  return last;
}
