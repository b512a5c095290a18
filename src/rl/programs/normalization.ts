/**
 * Running statistics of observations and of discounted returns inside programs, and what is scaled by them. Roll-outs
 * update the statistics; everything else only reads them.
 */
import {
  add,
  broadcastTo,
  cast,
  clip,
  concat,
  type Dim,
  dimValue,
  div,
  greater,
  iota,
  less,
  minimum,
  mul,
  reshape,
  type Shape,
  scan,
  select,
  shiftRight,
  slice,
  sqrt,
  state,
  sub,
  type Tensor,
  takeRows,
} from "../../kernels/index.ts";
import { counter, hyperparameter } from "../contract/inputs.ts";
import { type AgentSpaces, elementSize, normalizedRuns, type Space, statisticsSizes } from "../spaces.ts";
import { lanesBegin } from "./laneBuffers.ts";
import { type ReplayField, wordColumns } from "./rowLayout.ts";
import { learnRows, type StatisticsOf, statisticsStates } from "./runningStatistics.ts";

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

/** Counts the updates of the discounted returns in a turn: where lanes begin, its first update starts with returns of 0. */
export const RETURNS_UPDATED = "returns_updated";

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
 * Updates the statistics of observations by those that a step of all lanes acted on.
 * @param stored Observations as `field` stores them, [n, ...stored row].
 * @param present 1 for those that count, [n, agents].
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
  learnRows("observations", rows, counted);
}

/** Columns of observations [n, ...] of which statistics are kept, [n, size]; null if there are none. */
export function normalizedColumns(
  settings: Normalization | undefined,
  space: Space,
  obs: Tensor,
): Tensor | null {
  const runs = normalizedRuns(space);
  if (!settings?.observations || runs.length === 0) return null;
  const rows = reshape(obs, [obs.shape[0] as Dim, elementSize(space)]);
  return joined(runs.map(({ start, size }) => slice(rows, start, size)));
}

/** Rows that enter the statistics together, a power of two: sums of so few lose no digits. */
const BITS = 6;
const BLOCK = 1 << BITS;

/** Like {@link learnObservations}, for those of a roll-out, in blocks: the later ones are cut by what the earlier taught. */
export function learnRolloutObservations(
  settings: Normalization | undefined,
  space: Space,
  field: ReplayField,
  stored: Tensor,
  present?: Tensor,
): void {
  if (!settings?.observations || normalizedRuns(space).length === 0) return;
  const n = dimValue(stored.shape[0] as Dim, "i32");
  const blocks = shiftRight(add(n, BLOCK - 1), BITS);
  scan({ count: blocks, carry: [] }, (_carry, _x, block) => {
    const index = add(mul(block, BLOCK), iota(BLOCK));
    const at = minimum(index, sub(n, 1));
    const exists = reshape(cast(less(index, n), "f32"), [BLOCK, 1]);
    const counted = present ? mul(takeRows(present, at), exists) : exists;
    learnObservations(settings, space, field, takeRows(stored, at), counted);
    return { carry: [] };
  });
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
  const start = select(lanesBegin(updates.read()), 0, running.read());
  const gamma = hyperparameter("gamma");
  const rows = (x: Tensor) => reshape(x, [lanes, each[0] ?? 1]);
  const xs = [scaledRewards(settings, reward), done, ...(present ? [present] : [])];
  const { carry } = scan({ count: steps, carry: [start], xs }, ([before], [earned, ended, counted]) => {
    const past = rows(mul(before as Tensor, gamma));
    const entered = learnRows("rewards", add(past, rows(earned as Tensor)), counted && rows(counted));
    const after = select(entered.isLeftOut, past, entered.rows);
    const goesOn = reshape(sub(1, ended as Tensor), [lanes, 1]);
    return { carry: [reshape(mul(after, goesOn), shape)] };
  });
  running.write(carry[0] as Tensor);
  updates.write(add(updates.read(), 1));
}
