/** Advantages within groups, which compare the completions of one prompt (Shao et al. 2024, section 4.1). */
import type { RolloutBatch } from "../contract.ts";
import { type SequenceUnit, sequenceUnits } from "./sequenceUnits.ts";

/** Mean and variance of advantages, in f64. */
interface Moments {
  readonly mean: number;
  /** Unbiased (n - 1); 0 for fewer than two values. */
  readonly variance: number;
}

function momentsOf(values: readonly number[]): Moments {
  const count = values.length;
  if (count === 0) return { mean: 0, variance: 0 };
  const mean = values.reduce((total, value) => total + value, 0) / count;
  const squares = values.reduce((total, value) => total + (value - mean) * (value - mean), 0);
  return { mean, variance: count > 1 ? squares / (count - 1) : 0 };
}

/** Added to avoid division by zero. */
const SMALLEST_SPREAD = 1e-8;

const mapped = (rows: readonly (readonly number[])[], of: (value: number) => number): number[][] =>
  rows.map((row) => row.map(of));

/** Scales all values of a batch to mean 0 and variance 1: (x - mean) / sqrt(variance + 1e-8). */
export function whitened(rows: readonly (readonly number[])[]): number[][] {
  const { mean, variance } = momentsOf(rows.flat());
  const scale = 1 / Math.sqrt(variance + SMALLEST_SPREAD);
  return mapped(rows, (value) => (value - mean) * scale);
}

/** Standardises all values of a batch: (x - mean) / (std + 1e-8). */
export function standardised(rows: readonly (readonly number[])[]): number[][] {
  const { mean, variance } = momentsOf(rows.flat());
  const scale = 1 / (Math.sqrt(variance) + SMALLEST_SPREAD);
  return mapped(rows, (value) => (value - mean) * scale);
}

interface GroupOptions {
  /** Sequences per group, which are consecutive rows. */
  readonly group_size: number;
  /** Whether advantages are divided by the group's standard deviation. */
  readonly adv_norm: "mean_only" | "mean_std";
  /**
   * Whether a turn that no other member of the group reached uses its trajectory's advantage (otherwise 0).
   */
  readonly turn_advantage_trajectory_fallback: boolean;
}

/** Units of each sequence, and the advantage of each unit. */
export interface UnitAdvantages {
  readonly units: readonly (readonly SequenceUnit[])[];
  readonly advantages: readonly (readonly number[])[];
}

/** Rewards of units minus their mean; with "mean_std", divided by their standard deviation + 1e-8. */
function compare(
  units: readonly SequenceUnit[],
  adv_norm: GroupOptions["adv_norm"],
): Map<SequenceUnit, number> {
  const { mean, variance } = momentsOf(units.map(({ reward }) => reward));
  const spread = adv_norm === "mean_std" ? Math.sqrt(variance) + SMALLEST_SPREAD : 1;
  return new Map(units.map((unit) => [unit, (unit.reward - mean) / spread]));
}

/** Splits rows into groups. */
function groupsOf<T>(rows: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, g) =>
    rows.slice(g * size, (g + 1) * size),
  );
}

/** Share of the groups whose sequences all have the same return; groups without generated tokens do not count. */
export function levelShare(batch: RolloutBatch, group_size: number): number {
  const groups = groupsOf(sequenceUnits(batch, "trajectory"), group_size).map((group) => group.flat());
  const played = groups.filter((group) => group.length > 0);
  const level = played.filter((group) => group.every(({ reward }) => reward === group[0]?.reward));
  return level.length / Math.max(1, played.length);
}

/**
 * Advantages of each sequence's return, relative to the sequences of its group that have generated tokens.
 */
export function trajectoryAdvantages(batch: RolloutBatch, options: GroupOptions): UnitAdvantages {
  const units = sequenceUnits(batch, "trajectory");
  const advantages = groupsOf(units, options.group_size).flatMap((group) => {
    const found = compare(group.flat(), options.adv_norm);
    return group.map((own) => own.map((unit) => found.get(unit) ?? 0));
  });
  return { units, advantages };
}

/** Advantages of each turn's reward, relative to the sequences of its group that reached the turn. */
export function turnAdvantages(batch: RolloutBatch, options: GroupOptions): UnitAdvantages {
  const units = sequenceUnits(batch, "turn");
  const whole = groupsOf(trajectoryAdvantages(batch, options).advantages, options.group_size);
  const advantages = groupsOf(units, options.group_size).flatMap((group, g) => {
    const found = new Map<SequenceUnit, number>();
    for (const turn of new Set(group.flat().map((unit) => unit.turn))) {
      const players = group.flat().filter((unit) => unit.turn === turn);
      if (players.length < 2) continue;
      for (const [unit, advantage] of compare(players, options.adv_norm)) found.set(unit, advantage);
    }
    return group.map((own, member) => {
      const alone = options.turn_advantage_trajectory_fallback ? (whole[g]?.[member]?.[0] ?? 0) : 0;
      return own.map((unit) => found.get(unit) ?? alone);
    });
  });
  return { units, advantages };
}
