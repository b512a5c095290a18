import { formatCount } from "../../../lib/format.ts";

/**
 * How far a run is, in words. A generation is never cut short, so the last one may take more than was asked for.
 *
 * @param total steps that were asked for; null when nobody said
 */
export function stepsText(steps: number, total: number | null): string {
  if (total === null) return `${formatCount(steps)} steps`;
  return steps > total
    ? `${formatCount(steps)} steps, ${formatCount(total)} asked for`
    : `${formatCount(steps)} of ${formatCount(total)} steps`;
}
