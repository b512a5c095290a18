/** The latest completions of a run, for people to read: what is kept of them does not grow with the run. */
import type { CompletionsReport } from "../observer.ts";

/** Records in memory, in whole reports. */
const KEPT_RECORDS = 512;
/** Characters of one report in a run's log. */
const LOGGED_CHARACTERS = 64_000;

/**
 * Reports with one more, newest last. The oldest go where there are too many records; the newest stays.
 * @param report One that repeats what was told, as a failed run does, changes nothing.
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

/** A report as a log keeps it: its first records, at least one, as far as their texts are short enough together. */
export function loggedCompletions(report: CompletionsReport): CompletionsReport {
  let characters = 0;
  const longer = report.records.findIndex(({ prompt, completion }, index) => {
    characters += prompt.length + completion.length;
    return index > 0 && characters > LOGGED_CHARACTERS;
  });
  return longer < 0 ? report : { ...report, records: report.records.slice(0, longer) };
}
