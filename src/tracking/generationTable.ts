import { makePaint, type Paint } from "./consoleStream.ts";
import { formatCount, formatValue } from "./formatValue.ts";
import { meanOf } from "./metricRow.ts";
import type { GenerationReport, MemberReport } from "./observer.ts";

interface TableOptions {
  /** Line width in characters (default: 120). Members that do not fit are shown in further tables. */
  readonly columns?: number;
  readonly paint?: Paint;
  /** Hyperparameters to show (default: all numeric ones). */
  readonly hyperparameters?: readonly string[] | undefined;
}

type Cell = number | string;

interface Row {
  readonly label: string;
  /** One value per member. */
  readonly cells: readonly Cell[];
}

/** The metric x member table of a generation, one string per line. */
export function generationTable(report: GenerationReport, options: TableOptions = {}): string[] {
  const { columns = 120, paint = makePaint(false), hyperparameters } = options;
  const sections = sectionsOf(report, hyperparameters);
  const { members } = report;
  const headings = members.map(({ index }) => `Agent ${index}`);
  const means = members.length > 1 ? sections.map((rows) => rows.map(({ cells }) => meanCell(cells))) : null;

  const labelWidth = Math.max("Metric".length, ...sections.flat().map(({ label }) => label.length));
  const texts = sections.flat().flatMap(({ cells }) => cells.map(textOf));
  const cellWidth = Math.max(...headings.map((h) => h.length), ...texts.map((t) => t.length));
  // Borders and spaces: "│ label │" and " cell │".
  const perTable = Math.max(1, Math.floor((columns - labelWidth - 4) / (cellWidth + 3)) - (means ? 1 : 0));

  const title = paint.bold(`Global Steps: ${formatCount(report.global_step)}`);
  const lines = [title];
  for (let from = 0; from < members.length; from += perTable) {
    const to = Math.min(members.length, from + perTable);
    const withMean = means !== null && to === members.length;
    const widths = [labelWidth, ...Array<number>(to - from + (withMean ? 1 : 0)).fill(cellWidth)];
    const heading = ["Metric", ...headings.slice(from, to), ...(withMean ? ["Mean"] : [])];
    const best = report.elite >= from && report.elite < to ? report.elite - from + 1 : -1;
    lines.push(
      ruleOf(widths, "┌┬┐"),
      lineOf(heading, widths, (text) => paint.bold(text)),
    );
    sections.forEach((rows, section) => {
      lines.push(ruleOf(widths, "├┼┤"));
      rows.forEach(({ label, cells }, row) => {
        const shown = [label, ...cells.slice(from, to).map(textOf)];
        if (withMean) shown.push(textOf(means[section]?.[row] ?? ""));
        const isFitness = section === 0;
        lines.push(
          lineOf(shown, widths, (text, column) => (isFitness && column === best ? paint.green(text) : text)),
        );
      });
    });
    lines.push(ruleOf(widths, "└┴┘"));
  }
  return lines;
}

function sectionsOf(
  { members, steps_per_second, league }: GenerationReport,
  names: readonly string[] | undefined,
): Row[][] {
  const row = (label: string, value: (member: MemberReport) => Cell): Row => ({
    label,
    cells: members.map(value),
  });
  const keysOf = (record: (member: MemberReport) => Readonly<Record<string, number>>): string[] => [
    ...new Set(members.flatMap((member) => Object.keys(record(member)))),
  ];
  const metrics = keysOf((m) => m.metrics);
  const hyperparameters = names ?? keysOf((m) => m.hyperparameters);
  return [
    [
      row(league ? "rating" : "fitness", (m) => m.fitness),
      ...keysOf((m) => m.agent_fitness ?? {}).map((agent) =>
        row(`fitness/${agent}`, (m) => m.agent_fitness?.[agent] ?? Number.NaN),
      ),
    ],
    [
      row("score", (m) => m.score ?? Number.NaN),
      ...metrics.map((name) => row(name, (m) => m.metrics[name] ?? Number.NaN)),
    ],
    hyperparameters.map((name) => row(name, (m) => m.hyperparameters[name] ?? Number.NaN)),
    [
      row("steps", (m) => m.steps),
      row("last_mutation", (m) => m.mutation),
      ...(members.some((m) => m.subpopulation !== null)
        ? [row("subpopulation", (m) => (m.subpopulation === null ? "-" : `${m.subpopulation}`))]
        : []),
      // Members take turns on the machine, so each one's rate is an equal share of the total rate.
      row("steps/s", () => Math.round(steps_per_second / Math.max(1, members.length))),
    ],
  ].filter((rows) => rows.length > 0);
}

const textOf = (cell: Cell): string => (typeof cell === "number" ? formatValue(cell) : cell);

/** Mean over the members that have a value; empty for text. */
function meanCell(cells: readonly Cell[]): Cell {
  const numbers = cells.filter((cell) => typeof cell === "number");
  return numbers.length < cells.length ? "" : meanOf(numbers);
}

function lineOf(
  texts: readonly string[],
  widths: readonly number[],
  paint: (text: string, column: number) => string,
): string {
  const cells = texts.map((text, i) => {
    const width = widths[i] ?? text.length;
    return paint(i === 0 ? text.padEnd(width) : text.padStart(width), i);
  });
  return `│ ${cells.join(" │ ")} │`;
}

/** @param corners Characters for the left end, the crossings and the right end. */
function ruleOf(widths: readonly number[], corners: string): string {
  const lines = widths.map((width) => "─".repeat(width + 2));
  return `${corners[0]}${lines.join(corners[1])}${corners[2]}`;
}
