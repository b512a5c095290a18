import { formatCount } from "../../../lib/format.ts";

/**
 * The progress of a run as text. A generation is never cut short, so a run may take more steps than
 * requested.
 *
 * @param total number of requested steps; null if unknown
 */
export function stepsText(steps: number, total: number | null): string {
  if (total === null) return `${formatCount(steps)} steps`;
  return steps > total
    ? `${formatCount(steps)} steps (${formatCount(total)} requested)`
    : `${formatCount(steps)} of ${formatCount(total)} steps`;
}
