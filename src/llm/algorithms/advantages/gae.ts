/** Advantages and returns of one sequence, computed backwards in time. */

/** Reward of a unit of a sequence, and the value of the state before it. */
export interface ValuedUnit {
  readonly reward: number;
  readonly value: number;
}

/** Generalised advantages A, and returns A + V. */
export interface Advantages {
  readonly advantages: number[];
  readonly returns: number[];
}

/**
 * Generalised advantage estimation (Schulman et al. 2016, eq. 16) of a complete sequence: delta_k = r_k +
 * gamma V_(k+1) - V_k; A_k = delta_k + gamma lambda A_(k+1); G_k = A_k + V_k; V after the last unit is 0.
 */
export function generalisedAdvantages(
  units: readonly ValuedUnit[],
  gamma: number,
  lambda: number,
): Advantages {
  const advantages: number[] = [];
  let [next, nextValue] = [0, 0];
  for (const { reward, value } of units.toReversed()) {
    next = reward + gamma * nextValue - value + gamma * lambda * next;
    nextValue = value;
    advantages.unshift(next);
  }
  return { advantages, returns: units.map(({ value }, k) => (advantages[k] ?? 0) + value) };
}

/** G_k = r_k + gamma G_(k+1) (Sutton and Barto 2018, eq. 3.9). */
export function discountedReturns(rewards: readonly number[], gamma: number): number[] {
  const returns: number[] = [];
  let next = 0;
  for (const reward of rewards.toReversed()) {
    next = reward + gamma * next;
    returns.unshift(next);
  }
  return returns;
}
