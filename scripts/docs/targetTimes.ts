/** What templates took to reach their scores, from the tables of docs/results.md. */
import { median } from "../../bench/harness/statistics.ts";
import { learningRows } from "../../bench/learning/rows.ts";

/** Of a template: the middle one of the seeds that passed. */
export interface TargetTime {
  /** Mean return of greedy episodes that was reached. */
  readonly score: number;
  /** Environment steps of each agent until then. */
  readonly steps: number;
  /** Seconds on the machine of the tables; null where they do not say. */
  readonly seconds: number | null;
}

const numberOf = (cell: string): number => (cell === "" ? Number.NaN : Number(cell.replaceAll(",", "")));

/** The machine of the tables. @throws Error if the text does not say. */
function machineOf(results: string): string {
  const machine = /^Measured on ([^,]+),/m.exec(results)?.[1];
  if (machine === undefined) throw new Error('docs/results.md: no line begins with "Measured on MACHINE,"');
  return machine;
}

/** By template's id. @param results The text of docs/results.md. */
export function targetTimes(results: string): Readonly<Record<string, TargetTime>> {
  const sections = results.split(/^(?=`npm run results -- --row )/m);
  const times: [string, TargetTime][] = sections.flatMap((section) => {
    const name = /^`npm run results -- --row ([\w-]+)`/.exec(section)?.[1];
    const row = learningRows.find((one) => one.name === name && one.manifest === undefined);
    const cells = firstTable(section);
    const column = (title: string): number[] => {
      const at = cells[0]?.indexOf(title) ?? -1;
      return at < 0 ? [] : cells.slice(2).map((line) => numberOf(line[at] ?? ""));
    };
    const steps = column("passed at step").filter(Number.isFinite);
    if (row === undefined || steps.length === 0) return [];
    const seconds = column("seconds until then").filter(Number.isFinite);
    const time = {
      score: row.threshold,
      steps: median(steps),
      seconds: seconds.length > 0 ? Math.ceil(median(seconds)) : null,
    };
    return [[row.template, time]];
  });
  return Object.fromEntries(times.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Cells of the first table of a text, line by line. */
function firstTable(text: string): string[][] {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const end = lines.findIndex((line, at) => at > first && !line.startsWith("|"));
  return lines.slice(first < 0 ? lines.length : first, end < 0 ? undefined : end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The module that the gallery of templates reads. @param results The text of docs/results.md. */
export function targetTimesModule(results: string): string {
  const entries = Object.entries(targetTimes(results)).map(
    ([id, { score, steps, seconds }]) =>
      `  "${id}": { score: ${score}, steps: ${steps}, seconds: ${seconds} },\n`,
  );
  return `/** Written by \`npx tsx scripts/docs/writeTargetTimes.ts\` from docs/results.md. */

/**
 * By template: the score that was reached, the environment steps of each agent until then, and the seconds on the machine
 * of the tables where they say; the middle one of the seeds that passed.
 */
export const TARGET_TIMES: Readonly<
  Record<string, { readonly score: number; readonly steps: number; readonly seconds: number | null }>
> = {
${entries.join("")}};

/** The machine that took these times. */
export const TARGET_MACHINE = ${JSON.stringify(machineOf(results))};
`;
}
