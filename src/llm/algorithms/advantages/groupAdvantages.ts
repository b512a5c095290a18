/** Advantages within groups: completions of one prompt, compared with one another (Shao et al. 2024, section 4.1). */
import type { RolloutBatch } from "../contract.ts";
import { momentsOf, SMALLEST_SPREAD } from "./normalise.ts";
import { type SequenceUnit, sequenceUnits } from "./sequenceUnits.ts";

export interface GroupOptions {
  /** Sequences of a group, which stand one after the other. */
  readonly group_size: number;
  /** Whether advantages are divided by the group's deviation. */
  readonly adv_norm: "mean_only" | "mean_std";
  /** Whether a turn without another to compare it with takes its trajectory's advantage; else its own is 0. */
  readonly turn_advantage_trajectory_fallback: boolean;
}

/** Units of each sequence, and the advantage of each. */
export interface UnitAdvantages {
  readonly units: readonly (readonly SequenceUnit[])[];
  readonly advantages: readonly (readonly number[])[];
}

/** Of some units their rewards less the mean; with "mean_std" over their deviation + 1e-8. */
function compare(
  units: readonly SequenceUnit[],
  adv_norm: GroupOptions["adv_norm"],
): Map<SequenceUnit, number> {
  const { mean, variance } = momentsOf(units.map(({ reward }) => reward));
  const spread = adv_norm === "mean_std" ? Math.sqrt(variance) + SMALLEST_SPREAD : 1;
  return new Map(units.map((unit) => [unit, (unit.reward - mean) / spread]));
}

/** The rows of each group. */
function groupsOf<T>(rows: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, g) =>
    rows.slice(g * size, (g + 1) * size),
  );
}

/** Of each sequence's return, among the members of its group that acted. */
export function trajectoryAdvantages(batch: RolloutBatch, options: GroupOptions): UnitAdvantages {
  const units = sequenceUnits(batch, "trajectory");
  const advantages = groupsOf(units, options.group_size).flatMap((group) => {
    const found = compare(group.flat(), options.adv_norm);
    return group.map((own) => own.map((unit) => found.get(unit) ?? 0));
  });
  return { units, advantages };
}

/** Of each turn's reward, among the members of its group that reached the turn. */
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
