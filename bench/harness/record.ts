/** Writes what a bench measured to bench/results, beside all earlier measurements. */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { machineNote } from "./machine.ts";
import { type Measurement, readResult, resultFileSchema, resultPath } from "./ResultFile.ts";
import type { Figure } from "./Row.ts";
import { type Summary, summarise } from "./statistics.ts";
import { figureTable } from "./table.ts";

const git = (...args: string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();

/** The commit that is measured, with "+" where files have changed since; null outside a clone. */
function commit(): string | null {
  try {
    return `${git("rev-parse", "--short=8", "HEAD")}${git("status", "--porcelain", "-uno", "--", ":!bench/results") === "" ? "" : "+"}`;
  } catch {
    return null;
  }
}

export interface Recorded {
  /** Name of the file. */
  readonly row: string;
  readonly title: string;
  /** The command that measures it again. */
  readonly command: string;
  readonly figures: readonly Figure[];
  readonly summaries: readonly (Summary | null)[];
}

/** Adds a measurement to the row's file. Measurements of figures with other names do not stay. */
export function record({ row, title, command, figures, summaries }: Recorded): void {
  const now: Measurement = {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    machine: machineNote(),
    command,
    values: figures.map((_, i) => finite(summaries[i] ?? null)),
  };
  const before = existsSync(resultPath(row)) ? readResult(row) : null;
  const history = (before?.history ?? []).map((measurement) => ({
    ...measurement,
    values: figures.map(({ name }) => {
      const at = before?.figures.findIndex((figure) => figure.name === name) ?? -1;
      return measurement.values[at] ?? null;
    }),
  }));
  const file = { title, figures, history: [...history.filter(hasValues), now] };
  writeFileSync(resultPath(row), `${JSON.stringify(resultFileSchema.parse(file), null, 1)}\n`);
}

const hasValues = ({ values }: Measurement): boolean => values.some((value) => value !== null);

/** JSON has no NaN: a figure without a number was not measured. */
const finite = (summary: Summary | null): Summary | null =>
  summary !== null && Object.values(summary).every(Number.isFinite) ? summary : null;

/** Prints a table of samples with one number per figure, and records them. */
export function reportSamples({
  samples,
  ...row
}: Omit<Recorded, "summaries"> & { readonly samples: readonly (readonly number[])[] }): void {
  const summaries = row.figures.map((_, i) => summarise(samples.map((sample) => sample[i] ?? Number.NaN)));
  console.log(figureTable(row.figures, summaries));
  record({ ...row, summaries });
}
