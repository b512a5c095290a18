/** The return of a policy by importance sampling, from episodes of another one. */

/** Steps of episodes, one after another. */
export interface WeighedSteps {
  readonly rewards: ArrayLike<number>;
  /** How much likelier each action is for the policy than for the one that chose it. */
  readonly ratios: ArrayLike<number>;
  /** Whether the task ended; read at the last step of an episode. */
  readonly ended: ArrayLike<number>;
  /** Steps of each episode. */
  readonly lengths: readonly number[];
}

/**
 * Weighted importance sampling per decision (Precup, Sutton and Singh 2000, section 4; Thomas 2015, CWPDIS): in each step,
 * the mean of the rewards, weighted by the product of the ratios so far, discounted and summed. An episode whose task ended
 * keeps its weight and gets no more rewards; one that was cut leaves the mean.
 * @returns null where no weight is left, or one is not finite: then the data do not tell.
 */
export function weightedReturn(
  { rewards, ratios, ended, lengths }: WeighedSteps,
  gamma: number,
): number | null {
  const starts: number[] = [];
  let rows = 0;
  for (const length of lengths) starts.push((rows += length) - length);
  const weights = lengths.map(() => 1);
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  let [total, factor] = [0, 1];
  for (let step = 0; step < longest; step++, factor *= gamma) {
    let [weight, weighed] = [0, 0];
    for (const [i, length] of lengths.entries()) {
      const row = (starts[i] as number) + step;
      if (step < length) {
        weights[i] = (weights[i] as number) * (ratios[row] as number);
        weighed += (weights[i] as number) * (rewards[row] as number);
      } else if (ended[(starts[i] as number) + length - 1] !== 1) continue;
      weight += weights[i] as number;
    }
    if (!(weight > 0) || !Number.isFinite(weight)) return null;
    total += (factor * weighed) / weight;
  }
  return total;
}
