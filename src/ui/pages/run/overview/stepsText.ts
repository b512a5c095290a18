import { formatCount } from "../../../lib/format.ts";

/**
 * The progress of a run as text. A generation is never cut short, so a run may take more steps than
 * requested.
 *
 * @param total number of requested steps; null if unknown, or of no interest because the run has finished
 * @param early whether the run may end before it has taken them
 */
export function stepsText(steps: number, total: number | null, early = false): string {
  if (total === null) return `${formatCount(steps)} steps`;
  return steps > total
    ? `${formatCount(steps)} steps (${formatCount(total)} requested)`
    : `${formatCount(steps)} of ${early ? "at most " : ""}${formatCount(total)} steps`;
}
