/** Converts callers' transitions to the rows of a replay buffer. */
import type { ReplayRows } from "../runtime/replayRows.ts";
import { inferWidths, requireFields, rowsOf, storedRows, teamWidths } from "./experienceRows.ts";
import type { Experiences, RowWidths } from "./experiences.ts";
import {
  inferShares,
  isByAgent,
  jointExperiences,
  type TeamExperiences,
  type TeamShare,
} from "./teamExperiences.ts";

/** The layout of a buffer's rows, as far as it is known; null before the first row. */
interface KnownRows {
  readonly widths: RowWidths | null;
  readonly team: readonly TeamShare[] | null | undefined;
}

/**
 * Rows as the buffer stores them. If the buffer has no layout yet, it is inferred from the transitions.
 * @param others Fields that transitions may have besides those of every replay buffer.
 * @throws TypeError or RangeError naming the field, and the agent, that does not fit.
 */
export function transitionRows(
  transition: Experiences | TeamExperiences,
  known: KnownRows,
  others: readonly string[],
): KnownRows & { readonly count: number; readonly rows: ReplayRows; readonly widths: RowWidths } {
  const team = isByAgent(transition) ? (known.team ?? inferShares(transition)) : known.team;
  const given = isByAgent(transition) ? jointExperiences(transition, team ?? []) : transition;
  requireFields(given, others);
  const widths = known.widths ?? (team ? teamWidths(team, given.obs) : inferWidths(given));
  if (isByAgent(transition) && widths.agents !== team?.length)
    throw new RangeError(
      `ReplayBuffer.add: found transitions of ${team?.length} agents, allowed ${widths.agents}, as it holds; call clear() first`,
    );
  const { count, rows } = rowsOf(given, widths);
  return { count, rows: storedRows(rows, widths), widths, team };
}
