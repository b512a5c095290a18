/**
 * Running statistics of observations and of discounted returns inside programs, and what is scaled by them. Roll-outs
 * update the statistics; everything else only reads them.
 */
import {
  add,
  broadcastTo,
  clip,
  concat,
  type Dim,
  dimValue,
  div,
  equal,
  greater,
  maximum,
  minimum,
  mul,
  mulDims,
  reshape,
  type Shape,
  scan,
  select,
  slice,
  sqrt,
  square,
  state,
  sub,
  sum,
  type Tensor,
} from "../../kernels/index.ts";
import { counter, hyperparameter } from "../contract/inputs.ts";
import { type AgentSpaces, elementSize, normalizedRuns, type Space, statisticsSizes } from "../spaces.ts";
import { type ReplayField, wordColumns } from "./rowLayout.ts";

/** How an agent scales the observations that its networks read, and the rewards that it learns from. */
export interface Normalization {
  /** Whether observations are centred and divided by their running deviation. */
  readonly observations: boolean;
  /** Whether rewards are divided by the running deviation of the discounted return. */
  readonly rewards: boolean;
  /** Largest absolute value of a normalised observation or reward; null for no limit. */
  readonly clip_observations: number | null;
  readonly clip_rewards: number | null;
  /** Added to variances. */
  readonly epsilon: number;
  /** Factor on rewards, and the range that they are then cut to; both before normalisation. */
  readonly reward_scale: number;
  readonly reward_clip: readonly [low: number, high: number] | null;
}

/** What statistics are kept of. */
export type StatisticsOf = "observations" | "rewards";
export const STATISTICS = ["count", "mean", "variance"] as const;

/** Name of the buffer that holds a part of the statistics. */
export const statisticsName = (of: StatisticsOf, part: (typeof STATISTICS)[number]): string =>
  `normalize.${of}.${part}`;

/** Counts the updates of the discounted returns in a turn: its first update starts with returns of 0. */
export const RETURNS_UPDATED = "returns_updated";

/**
 * Values that count at most, 2^24: all f32 integers up to there are exact. Beyond it, the oldest values lose their
 * weight exponentially.
 */
const MOST_COUNTED = 16_777_216;

/** Statistics of `size` columns. They are 0 before the first value. */
function statisticsStates(of: StatisticsOf, size: number) {
  const part = (name: (typeof STATISTICS)[number]) => state(statisticsName(of, name), [size]);
  return { count: part("count"), mean: part("mean"), variance: part("variance") };
}

/** The reciprocal of each column's deviation; 1 before the first value. */
function factors(of: StatisticsOf, size: number, { epsilon }: Normalization): Tensor {
  const { count, variance } = statisticsStates(of, size);
  const known = select(greater(count.read(), 0), variance.read(), 1);
  return div(1, sqrt(add(known, epsilon)));
}

const limited = (x: Tensor, limit: number | null): Tensor => (limit === null ? x : clip(x, -limit, limit));

const joined = (parts: readonly Tensor[]): Tensor =>
  parts.length === 1 ? (parts[0] as Tensor) : concat([...parts]);

/** Observations [n, ...] as networks read them, [n, numbers]. */
export function normalized(settings: Normalization, space: Space, obs: Tensor): Tensor {
  const runs = normalizedRuns(space);
  if (!settings.observations || runs.length === 0) return obs;
  const total = elementSize(space);
  const rows = reshape(obs, [obs.shape[0] as Dim, total]);
  const size = statisticsSizes({ observation_space: space }).observations;
  const means = statisticsStates("observations", size).mean.read();
  const scales = factors("observations", size, settings);
  const part = (x: Tensor, start: number, length: number, of: number) =>
    length === of ? x : slice(x, start, length);
  const parts: Tensor[] = [];
  let end = 0;
  for (const { start, size: length, at } of runs) {
    if (start > end) parts.push(slice(rows, end, start - end));
    const centred = sub(part(rows, start, length, total), part(means, at, length, size));
    parts.push(limited(mul(centred, part(scales, at, length, size)), settings.clip_observations));
    end = start + length;
  }
  if (end < total) parts.push(slice(rows, end, total - end));
  return joined(parts);
}

/** Rewards [..., ] of one agent, or [..., agents], as they are learnt from. */
export function learntRewards(
  { normalization: settings }: { readonly normalization?: Normalization | undefined },
  spaces: AgentSpaces,
  reward: Tensor,
): Tensor {
  if (!settings) return reward;
  const scaled = scaledRewards(settings, reward);
  if (!settings.rewards) return scaled;
  const size = statisticsSizes(spaces).rewards;
  const scales = factors("rewards", size, settings);
  const several = spaces.observation_space.kind === "Agents";
  return limited(mul(scaled, several ? scales : reshape(scales, [])), settings.clip_rewards);
}

function scaledRewards({ reward_scale, reward_clip }: Normalization, reward: Tensor): Tensor {
  const scaled = reward_scale === 1 ? reward : mul(reward, reward_scale);
  return reward_clip === null ? scaled : clip(scaled, reward_clip[0], reward_clip[1]);
}

/**
 * Merges rows [n, size] into running statistics: Welford's update by whole batches (Chan et al. 1979). The order of
 * the sums is that of the rows.
 * @param counted 1 for values that count, [n, size] (default: all).
 */
function merge(of: StatisticsOf, rows: Tensor, counted?: Tensor): void {
  const [n, size] = rows.shape as [Dim, number];
  const { count, mean, variance } = statisticsStates(of, size);
  const counting = (x: Tensor) => (counted ? mul(x, counted) : x);
  const more = counted ? sum(counted, 0) : dimValue(n);
  const divisor = counted ? maximum(more, 1) : more;
  const own = div(sum(counting(rows), 0), divisor);
  const spread = div(sum(counting(square(sub(rows, own))), 0), divisor);
  const total = minimum(add(count.read(), more), MOST_COUNTED);
  const share = div(more, maximum(total, 1));
  const [before, deviation] = [mean.read(), variance.read()];
  const difference = sub(own, before);
  const between = mul(sub(1, share), square(difference));
  count.write(total);
  mean.write(add(before, mul(share, difference)));
  variance.write(add(deviation, mul(share, add(sub(spread, deviation), between))));
}

/**
 * Updates the statistics of observations by those that a roll-out acted on.
 * @param stored Observations as `field` stores them, [n, ...stored row].
 * @param present Several agents: 1 for those that took part in the step, [n, agents].
 */
export function learnObservations(
  settings: Normalization | undefined,
  space: Space,
  field: ReplayField,
  stored: Tensor,
  present?: Tensor,
): void {
  const runs = normalizedRuns(space);
  if (!settings?.observations || runs.length === 0) return;
  const n = stored.shape[0] as Dim;
  const rows = joined(runs.map((run) => wordColumns(field, stored, run)));
  const counted =
    present && joined(runs.map(({ agent, size }) => broadcastTo(slice(present, agent, 1), [n, size])));
  merge("observations", rows, counted);
}

/** Steps of all lanes in order, from which discounted returns are computed. */
interface Rewarded {
  /** [steps, lanes], or [steps, lanes, agents]; before any scaling. */
  readonly reward: Tensor;
  /** 1 where the lane's episode ended, [steps, lanes]. */
  readonly done: Tensor;
  /** Several agents: 1 for those that took part in the step, [steps, lanes, agents]. */
  readonly present?: Tensor | undefined;
}

/** Updates the deviation of the discounted return by the steps of a roll-out. */
export function learnReturns(settings: Normalization | undefined, { reward, done, present }: Rewarded): void {
  if (!settings?.rewards) return;
  const [steps, lanes, ...each] = reward.shape as [Dim, Dim, ...number[]];
  const shape: Shape = [lanes, ...each];
  const running = state("normalize.returns", shape);
  const updates = counter(RETURNS_UPDATED);
  const start = select(equal(updates.read(), 0), 0, running.read());
  const gamma = hyperparameter("gamma");
  const { ys, carry } = scan(
    { count: steps, carry: [start], xs: [scaledRewards(settings, reward), done] },
    ([before], [earned, ended]) => {
      const after = add(mul(before as Tensor, gamma), earned as Tensor);
      const goesOn = reshape(sub(1, ended as Tensor), [lanes, ...each.map(() => 1)]);
      return { carry: [mul(after, goesOn)], ys: [after] };
    },
  );
  running.write(carry[0] as Tensor);
  updates.write(add(updates.read(), 1));
  const rows = (x: Tensor) => reshape(x, [mulDims(steps, lanes), each[0] ?? 1]);
  merge("rewards", rows(ys[0] as Tensor), present && rows(present));
}
