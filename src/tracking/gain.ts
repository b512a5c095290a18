/** The gain of a mutation. All that rlkit says of gains follows from this definition. */
import { mean, standardError } from "../evolution/members.ts";
import { around, type Interval, isEvidence, studentQuantile } from "./interval.ts";

/** A member's evaluation. */
export interface Evaluation {
  readonly fitness: number;
  /** Standard error of the fitness, from its episodes; NaN if unknown. */
  readonly error: number;
  /** Number of episodes; NaN if unknown. */
  readonly episodes: number;
}

/** What became of a member since its parent's last evaluation, or its own. */
export interface Change {
  /** Identity of the member that had this evaluation. */
  readonly origin: number;
  readonly from: Evaluation;
  readonly to: Evaluation;
  /** Whether a mutation happened in between. */
  readonly mutated: boolean;
}

/** The gain of one member's mutation. */
export interface Gain {
  readonly value: number;
  /** Standard error; NaN if unknown. */
  readonly error: number;
  /** Half of the interval of 95 %; NaN if unknown. */
  readonly margin: number;
}

/** The gains of several mutations. */
export interface GainSummary {
  /** Number of gains. */
  readonly gains: number;
  /** Their mean; null for none. */
  readonly gain: number | null;
  /** Standard error of the mean; null if unknown. */
  readonly gain_error: number | null;
  /** Interval of 95 % of the mean; null if unknown. */
  readonly gain_interval: Interval | null;
}

const changeOf = ({ from, to }: Change): number => to.fitness - from.fitness;

interface Spread {
  readonly error: number;
  readonly freedom: number;
}

/** The standard error of evaluations whose weighted sum is a gain, from their episodes. */
function episodesError(terms: readonly { readonly of: Evaluation; readonly weight: number }[]): Spread {
  const error = Math.hypot(...terms.map(({ of, weight }) => weight * of.error));
  return { error, freedom: Math.min(...terms.map(({ of }) => of.episodes)) - 1 };
}

/** The standard error of one change beside the mean of others, from the spread of the others. */
function referencesError(changes: readonly number[]): Spread {
  const { length } = changes;
  return { error: standardError(changes) * Math.sqrt(length + 1), freedom: length - 1 };
}

/** The gain of a change beside those of its references. */
function gainBeside(own: Change, references: readonly Change[]): Gain {
  const isSibling = references.every(({ origin }) => origin === own.origin);
  const weight = 1 / references.length;
  const terms = [
    { of: own.to, weight: 1 },
    ...references.map(({ to }) => ({ of: to, weight })),
    // Siblings have the same evaluation before, so it cancels out.
    ...(isSibling ? [] : [own.from, ...references.map(({ from }) => from)]).map((of, at) => ({
      of,
      weight: at === 0 ? 1 : weight,
    })),
  ];
  const found = [episodesError(terms), referencesError(references.map(changeOf))]
    .filter(({ error, freedom }) => Number.isFinite(error) && freedom >= 1)
    .map(({ error, freedom }) => ({ error, margin: error * studentQuantile(freedom) }))
    .sort((a, b) => b.margin - a.margin);
  const { error, margin } = found[0] ?? { error: Number.NaN, margin: Number.NaN };
  const value = isSibling
    ? own.to.fitness - mean(references.map(({ to }) => to.fitness))
    : changeOf(own) - mean(references.map(changeOf));
  return { value, error, margin };
}

/**
 * The gains of a generation's mutations: a member's change of fitness since its parent's last evaluation, minus the mean
 * change of unmutated members with the same parent (the parent itself is one if it continued), or, if there are none, of the
 * unmutated members of the generation. The standard error is that of the episodes of these evaluations or that of the
 * spread of the unmutated members, whichever gives the wider interval.
 * @param changes By slot; null for a member without a fitness now or before.
 * @returns by slot; null for a member without a mutation, and without unmutated members.
 * @internal
 */
export function gainsOf(changes: readonly (Change | null)[]): readonly (Gain | null)[] {
  const references = changes.filter((change) => change !== null && !change.mutated) as readonly Change[];
  return changes.map((own) => {
    if (!own?.mutated) return null;
    const siblings = references.filter(({ origin }) => origin === own.origin);
    const used = siblings.length > 0 ? siblings : references;
    if (used.length === 0) return null;
    const gain = gainBeside(own, used);
    return Number.isFinite(gain.value) ? gain : null;
  });
}

/**
 * Adds up gains, generation by generation. Gains of one generation share what they are compared with, so the standard
 * error of the mean is that of clusters, at least that of the episodes.
 * @internal
 */
export class GainSum {
  #count = 0;
  #sum = 0;
  #generations = 0;
  /** Over generations: squares of sums, sums times counts, squares of counts. */
  #sums2 = 0;
  #cross = 0;
  #counts2 = 0;
  /** Of single gains; sums with an unknown one are NaN. */
  #errors = 0;
  #margins = 0;
  #known2 = 0;

  /** Adds the gains of one generation. */
  add(gains: readonly Gain[]): void {
    if (gains.length === 0) return;
    const sum = gains.reduce((all, { value }) => all + value, 0);
    this.#count += gains.length;
    this.#sum += sum;
    this.#generations += 1;
    this.#sums2 += sum * sum;
    this.#cross += sum * gains.length;
    this.#counts2 += gains.length ** 2;
    for (const { error, margin } of gains) {
      this.#errors += error;
      this.#margins += margin;
      this.#known2 += Number.isNaN(error) ? 0 : error * error;
    }
  }

  get summary(): GainSummary {
    const count = this.#count;
    if (count === 0) return { gains: 0, gain: null, gain_error: null, gain_interval: null };
    const gain = this.#sum / count;
    const { error, margin } = this.#generations === 1 ? this.#ofOne() : this.#ofClusters(gain);
    return {
      gains: count,
      gain,
      gain_error: Number.isFinite(error) ? error : null,
      gain_interval: around(gain, margin),
    };
  }

  /** Gains of one generation may all have the same error. */
  #ofOne() {
    return { error: this.#errors / this.#count, margin: this.#margins / this.#count };
  }

  #ofClusters(gain: number) {
    const clusters = this.#generations;
    const squares = Math.max(0, this.#sums2 - 2 * gain * this.#cross + gain * gain * this.#counts2);
    const ofClusters = Math.sqrt((squares * clusters) / (clusters - 1));
    const error = Math.max(ofClusters, Math.sqrt(this.#known2)) / this.#count;
    return { error, margin: error * studentQuantile(clusters - 1) };
  }
}

/** The gains of several generations, each in a list of its own. */
export function summaryOf(generations: Iterable<readonly Gain[]>): GainSummary {
  const sum = new GainSum();
  for (const gains of generations) sum.add(gains);
  return sum.summary;
}

/** An interval in brackets, signs included. @param format Formats a number with its sign. */
export const bracketed = ([low, high]: Interval, format: (value: number) => string): string =>
  `[${format(low)}, ${format(high)}]`;

/**
 * Gains in words. Those that are not told apart from 0 are said to be no evidence.
 * @param format Formats a number with its sign.
 * @param isDoubted Whether something else is known that leaves no evidence (default: false).
 * @returns null without any gain.
 * @internal
 */
export function gainText(
  { gain, gain_interval, gains }: GainSummary,
  format: (value: number) => string,
  isDoubted = false,
): string | null {
  if (gain === null) return null;
  if (gain_interval === null) return `not enough evidence (${format(gain)}, n = ${gains})`;
  const told = `${format(gain)} ${bracketed(gain_interval, format)}, n = ${gains}`;
  return isEvidence(gain_interval) && !isDoubted ? told : `not enough evidence (${told})`;
}
