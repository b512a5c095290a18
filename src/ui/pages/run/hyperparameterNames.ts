import type { GenerationReport } from "../../../training/loop/observer.ts";

/** Columns for hyperparameters in the table; the others are in a member's details. */
const MAX_COLUMNS = 5;

const sameReport = new WeakMap<GenerationReport, readonly string[]>();

/** The hyperparameters worth a column: those that differ between members first, in the order of the spec. */
export function hyperparameterNames(report: GenerationReport): readonly string[] {
  const known = sameReport.get(report);
  if (known !== undefined) return known;
  const all = Object.keys(report.members[0]?.hyperparameters ?? {});
  const differs = (name: string): boolean =>
    new Set(report.members.map((member) => member.hyperparameters[name])).size > 1;
  const first = new Set([...all.filter(differs), ...all].slice(0, MAX_COLUMNS));
  const names = all.filter((name) => first.has(name));
  sameReport.set(report, names);
  return names;
}
