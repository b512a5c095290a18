/** The latest completions of a run, for display. Their number does not grow with the run. */
import type { CompletionsReport } from "../observer.ts";

/** Maximum records in memory, in whole reports. */
const KEPT_RECORDS = 512;
/** Maximum characters of one report in a run's log. */
const LOGGED_CHARACTERS = 64_000;

/**
 * Adds a report; the newest is last. The oldest reports are dropped if there are too many records;
 * the newest always stays.
 * @param report A report that repeats earlier completions, as a failed run's does, changes nothing.
 */
export function withCompletions(
  reports: readonly CompletionsReport[],
  report: CompletionsReport,
): readonly CompletionsReport[] {
  if (report.level === "error" || report.generation <= (reports.at(-1)?.generation ?? 0)) return reports;
  const all = [...reports, report];
  let records = report.records.length;
  let first = all.length - 1;
  while (first > 0 && records + (all[first - 1]?.records.length ?? 0) <= KEPT_RECORDS) {
    first -= 1;
    records += all[first]?.records.length ?? 0;
  }
  return all.slice(first);
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
