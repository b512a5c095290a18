/** What counts as a reward wherever one comes in, and what is told of anything else. */

import { isMapping, show } from "../../specs/messages.ts";
import type { RewardComponents, RewardWeights } from "../data/rows.ts";

/** Values other than finite numbers that one place gave as rewards. */
export interface RewardFault {
  /** Where they came in: `environment "guess"`, `experiences.rewards`. */
  readonly place: string;
  /** The first of them as text. */
  readonly found: string;
  /** Whether they count as 1 and 0; sequences with other values have no reward. */
  readonly counts: boolean;
  /** Number of them. */
  readonly count: number;
}

/**
 * Reads a reward: finite numbers of f32 as they are, `true` as 1 and `false` as 0, anything else as NaN, which means that
 * the sequence has no reward.
 * @param faults Gets an entry for what is no number.
 */
export function readReward(value: unknown, place: string, faults: RewardFault[]): number {
  if (typeof value === "number" && Number.isFinite(Math.fround(value))) return value;
  const counts = typeof value === "boolean";
  faults.push({ place, found: show(value), counts, count: 1 });
  return counts ? Number(value) : Number.NaN;
}

export interface Score {
  /** NaN if it or a component is no number. */
  readonly reward: number;
  /** Components by name. Each is logged as reward_<name>. */
  readonly components: RewardComponents;
}

/** @throws Error for a reward without components, or one whose components have no weight. */
function requireWeights(value: unknown, weights: RewardWeights): void {
  const parts = isMapping(value) ? Object.keys(value).filter((name) => name !== "reward") : [];
  const without = parts.filter((name) => !Object.hasOwn(weights, name));
  if (isMapping(value) && without.length === 0) return;
  const found = isMapping(value) ? `no weight of ${without.join(", ")}` : `the reward ${show(value)}`;
  throw new Error(
    `reward_weights: found ${found}, allowed rewards that are objects of ${Object.keys(weights).join(", ")}`,
  );
}

/**
 * Reads a reward, or components of one.
 * @param weights The reward is then the sum of its components times these.
 * @throws As {@link requireWeights} does.
 */
export function readScore(
  value: unknown,
  place: string,
  faults: RewardFault[],
  weights: RewardWeights | null = null,
): Score {
  if (weights) requireWeights(value, weights);
  if (!isMapping(value)) return { reward: readReward(value, place, faults), components: {} };
  const entries = Object.entries(value).map(
    ([name, part]) => [name, readReward(part, `${place}: ${name}`, faults)] as const,
  );
  const parts = entries.filter(([name]) => name !== "reward");
  const whole = weights ? undefined : entries.find(([name]) => name === "reward")?.[1];
  const sum = parts.reduce((total, [name, part]) => total + (weights?.[name] ?? 1) * part, 0);
  return {
    reward: Number.isNaN(sum) ? sum : (whole ?? sum),
    components: Object.fromEntries(parts.filter(([, part]) => !Number.isNaN(part))),
  };
}

const keyOf = ({ place, counts }: RewardFault): string => `${counts} ${place}`;

/** One entry for each place. */
export function counted(faults: readonly RewardFault[]): readonly RewardFault[] {
  const found = new Map<string, RewardFault>();
  for (const fault of faults) {
    const known = found.get(keyOf(fault));
    found.set(keyOf(fault), known ? { ...known, count: known.count + fault.count } : fault);
  }
  return [...found.values()];
}

/** Counts faults over a run. */
export class RewardTally {
  readonly #counts = new Map<string, number>();

  /** Warnings that are due: of a place's first faults, and whenever there are ten times as many as at the last one. */
  add(faults: readonly RewardFault[]): readonly string[] {
    return counted(faults).flatMap((fault) => {
      const before = this.#counts.get(keyOf(fault)) ?? 0;
      const count = before + fault.count;
      this.#counts.set(keyOf(fault), count);
      if (before > 0 && Math.floor(Math.log10(before)) === Math.floor(Math.log10(count))) return [];
      const { place, found, counts } = fault;
      const done = counts
        ? "true counts as 1 and false as 0"
        : "the sequences have no reward, and are left out of learning, of their groups and of fitness";
      return [`${place}: found ${found} for a reward, allowed finite numbers; ${done}; ${count} so far`];
    });
  }
}
