/** Episodes of a data set that judge members instead of teaching them, for fitted Q evaluation. */
import type { HeldOut } from "../../agents/members.ts";
import { mean } from "../../evolution/members.ts";
import { Random } from "../../evolution/random.ts";
import type { RunPlan } from "./kinds.ts";

/**
 * Metrics of members whose fitness is fitted to data.
 * @param isLikely Whether their policies have probabilities of choices.
 */
export const fittedMetrics = (
  { eval_loop }: Pick<RunPlan, "eval_loop">,
  isLikely: boolean,
): readonly string[] => [
  "fqe_low",
  "fqe_high",
  "fqe_td_error",
  ...(isLikely ? ["wis_return"] : []),
  // Agents without an environment play no episodes.
  ...(eval_loop > 0 ? ["mean_return"] : []),
];

/** What a run holds out. */
export interface HoldOut {
  /** Share of the episodes, between 0 and 1; at least one episode is held out, and one is not. */
  readonly share: number;
  /** Discount of the values that will be fitted. */
  readonly gamma: number;
}

/** Consecutive rows of a data set, with the row of the replay buffer that the first one goes to. */
export interface Placement {
  readonly count: number;
  readonly start: number;
}

/** Where the rows of a data set go. */
export interface Split {
  /** In the order of the data set. */
  readonly placements: readonly Placement[];
  /** Rows to learn from, which come first in the replay buffer. */
  readonly taught: number;
  readonly held?: HeldOut;
}

interface Episode {
  readonly length: number;
  /** Discounted sum of its rewards. */
  readonly value: number;
}

function episodesOf(rewards: ArrayLike<number>, ended: ArrayLike<number>, gamma: number): Episode[] {
  const found: Episode[] = [];
  let [length, value, factor] = [0, 0, 1];
  for (let row = 0; row < ended.length; row++) {
    value += factor * (rewards[row] as number);
    factor *= gamma;
    length++;
    if (ended[row] === 0 && row < ended.length - 1) continue;
    found.push({ length, value });
    [length, value, factor] = [0, 0, 1];
  }
  return found;
}

/**
 * Draws the episodes that are held out. The draw depends on their number alone, so all runs of a data set hold out the same.
 * @param ended 1 for rows that end an episode.
 * @throws RangeError for fewer than two episodes.
 */
export function holdOut(
  rewards: ArrayLike<number>,
  ended: ArrayLike<number>,
  { share, gamma }: HoldOut,
): Required<Split> {
  const episodes = episodesOf(rewards, ended, gamma);
  if (episodes.length < 2)
    throw new RangeError(
      `found ${episodes.length} episode; fitted Q evaluation (training.fitness: fqe) needs two or more, of which some are held out`,
    );
  const random = new Random({ seed: 0, stream: "fqe.held_out" });
  const order = episodes.map((_, at) => ({ at, key: random.uniform() })).sort((a, b) => a.key - b.key);
  const many = Math.min(episodes.length - 1, Math.max(1, Math.round(share * episodes.length)));
  const isHeld = new Set(order.slice(0, many).map(({ at }) => at));
  const taught = episodes.reduce((sum, { length }, at) => sum + (isHeld.has(at) ? 0 : length), 0);
  let [next, nextHeld] = [0, taught];
  const placements = episodes.map(({ length }, at): Placement => {
    if (isHeld.has(at)) return { count: length, start: (nextHeld += length) - length };
    return { count: length, start: (next += length) - length };
  });
  const values = episodes.filter((_, at) => !isHeld.has(at)).map(({ value }) => value);
  let largest = 0;
  for (let row = 0; row < rewards.length; row++)
    largest = Math.max(largest, Math.abs(rewards[row] as number));
  const scale = values.reduce((most, value) => Math.max(most, Math.abs(value)), largest);
  return {
    placements,
    taught,
    held: {
      start: taught,
      lengths: episodes.filter((_, at) => isHeld.has(at)).map(({ length }) => length),
      centre: mean(values),
      scale: scale === 0 ? 1 : scale,
      // Without rewards, a network is still near 0 only.
      bound: gamma < 1 ? (largest === 0 ? 1 : largest) / (1 - gamma) : Number.MAX_VALUE,
    },
  };
}
