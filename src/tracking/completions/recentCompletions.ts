/** Completions of a run, for display. Their number does not grow with the run. */
import type { CompletionsReport } from "../observer.ts";

/** Maximum records in memory, in whole reports. */
const KEPT_RECORDS = 2048;
/** Maximum characters of one report in a run's log. */
const LOGGED_CHARACTERS = 64_000;

const recordsIn = (reports: readonly CompletionsReport[]): number =>
  reports.reduce((sum, { records }) => sum + records.length, 0);

/**
 * The position of the report that is missed least: neither the first nor the newest, and the one whose neighbours are
 * closest to each other compared with their age. What stays is dense among new reports, and ever sparser before them.
 */
function leastMissed(reports: readonly CompletionsReport[]): number {
  const at = (position: number): number => reports[position]?.generation ?? 0;
  const newest = at(reports.length - 1);
  let [found, least] = [0, Number.POSITIVE_INFINITY];
  for (let i = 1; i < reports.length - 1; i++) {
    const gap = (at(i + 1) - at(i - 1)) / (newest - at(i - 1));
    if (gap < least) [found, least] = [i, gap];
  }
  return found;
}

/**
 * Adds a report; the newest is last. If there are too many records, reports in between are dropped, so that the first
 * stays to compare with; the newest always stays.
 * @param report A report that repeats earlier completions, as a failed run's does, changes nothing.
 */
export function withCompletions(
  reports: readonly CompletionsReport[],
  report: CompletionsReport,
): readonly CompletionsReport[] {
  if (report.level === "error" || report.generation <= (reports.at(-1)?.generation ?? 0)) return reports;
  const all = [...reports, report];
  while (all.length > 1 && recordsIn(all) > KEPT_RECORDS) all.splice(leastMissed(all), 1);
  return all;
}

/**
 * A report shortened for a log: its first records, at least one, up to the limit on the total text length.
 */
export function loggedCompletions(report: CompletionsReport): CompletionsReport {
  let characters = 0;
  const longer = report.records.findIndex(({ prompt, completion }, index) => {
    characters += prompt.length + completion.length;
    return index > 0 && characters > LOGGED_CHARACTERS;
  });
  return longer < 0 ? report : { ...report, records: report.records.slice(0, longer) };
}
