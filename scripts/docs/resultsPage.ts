/** The page of results, from the files in bench/results. */
import {
  latest,
  type Measurement,
  type ResultFigure,
  type ResultFile,
} from "../../bench/harness/ResultFile.ts";
import { meets } from "../../bench/harness/Row.ts";
import { formatNumber } from "../../bench/harness/table.ts";
import {
  SECONDS_UNTIL_THEN,
  SEEDS_THAT_PASS,
  STEPS_UNTIL_THEN,
} from "../../bench/learning/recordLearning.ts";
import { type ResultSection, resultSections } from "./resultSections.ts";

export type Results = Readonly<Record<string, ResultFile>>;

const INTRODUCTION = `# Results

\`bench/results/ROW.json\` has each measurement, with date, commit, machine and command. Tables show the
latest median, in brackets the range over processes or seeds. "Before": the one before.

\`npm run bench\` and \`npm run results\` measure; \`npx tsx scripts/docs/writeResults.ts\` writes.

Training rows of dates up to 2026-11-29 are repeated with \`training.reset_each_generation: true\`.
`;

/** The value of a figure as tables show it, without its range. */
export const shown = ({ digits }: ResultFigure, median: number): string => formatNumber(median, digits);

const range = ({ digits }: ResultFigure, { min, max }: { min?: number; max?: number }): string =>
  min === undefined || max === undefined || min === max
    ? ""
    : ` (${formatNumber(min, digits)}–${formatNumber(max, digits)})`;

const plain = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 6 });

const bar = ({ target }: ResultFigure): string => {
  if (target === undefined) return "";
  return "at_most" in target ? `<= ${plain(target.at_most)}` : `>= ${plain(target.at_least)}`;
};

/** A figure's newest value with unit, range and whether it misses its bar. */
function newest(file: ResultFile, index: number, withRange = true): string {
  const figure = file.figures[index];
  const value = latest(file, index)?.values[index];
  if (figure === undefined || value == null) return "";
  const missed = meets(figure, value.median) === false ? " **missed**" : "";
  const unit = figure.unit === "" ? "" : ` ${figure.unit}`;
  return `${shown(figure, value.median)}${unit}${withRange ? range(figure, value) : ""}${missed}`;
}

function before(file: ResultFile, index: number): string {
  const at = latest(file, index)?.at ?? 0;
  const earlier = file.history.slice(0, at).findLast(({ values }) => values[index] !== null);
  const [figure, value] = [file.figures[index], earlier?.values[index]];
  return figure === undefined || value == null ? "" : shown(figure, value.median);
}

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)].join("\n");

/** A line for each figure with a target; one line for all figures of a row without targets. */
function figureLines(row: string, file: ResultFile): string[][] {
  const measured = file.figures.flatMap((figure, i) => (latest(file, i) === null ? [] : [{ figure, i }]));
  const aimed = measured.filter(({ figure }) => figure.target !== undefined);
  if (aimed.length === 0) {
    const unit = measured[0]?.figure.unit ?? "";
    const values = measured.map(({ figure, i }) =>
      shown(figure, latest(file, i)?.values[i]?.median ?? Number.NaN),
    );
    return [[`\`${row}\``, file.title, `${values.join("; ")} ${unit}`, "", ""]];
  }
  return aimed.map(({ figure, i }, order) => [
    order === 0 ? `\`${row}\`` : "",
    order === 0 && aimed.length === 1
      ? file.title
      : order === 0
        ? `${file.title}: ${figure.name}`
        : figure.name,
    newest(file, i),
    bar(figure),
    before(file, i),
  ]);
}

const indexOf = (file: ResultFile, name: string): number =>
  file.figures.findIndex((figure) => figure.name === name);

function learningLine(row: string, file: ResultFile): string[] {
  const seeds = indexOf(file, SEEDS_THAT_PASS);
  const figure = file.figures[seeds];
  return [
    `\`${row}\``,
    file.title,
    newest(file, seeds, false),
    figure === undefined ? "" : bar(figure),
    newest(file, indexOf(file, STEPS_UNTIL_THEN)).replace(" steps", ""),
    newest(file, indexOf(file, SECONDS_UNTIL_THEN), false).replace(" s", ""),
  ];
}

function sectionText({ title, text, common = "", rows }: ResultSection, results: Results): string {
  const files = rows.flatMap((row) => {
    const file = results[row];
    return file === undefined ? [] : [{ row, file: { ...file, title: file.title.replace(common, "") } }];
  });
  const isLearning = ({ file }: { readonly file: ResultFile }) => indexOf(file, SEEDS_THAT_PASS) >= 0;
  const [learning, figures] = [files.filter(isLearning), files.filter((one) => !isLearning(one))];
  const parts = [
    `## ${title}`,
    ...(text === undefined ? [] : [text]),
    ...(learning.length === 0
      ? []
      : [
          table(
            ["row", "task and score", "seeds", "bar", "steps", "seconds"],
            learning.map(({ row, file }) => learningLine(row, file)),
          ),
        ]),
    ...(figures.length === 0
      ? []
      : [
          table(
            ["row", "what", "latest", "bar", "before"],
            figures.flatMap(({ row, file }) => figureLines(row, file)),
          ),
        ]),
  ];
  return parts.join("\n\n");
}

/** Machines of the newest measurements, without their loads. */
function machines(results: Results): string {
  const newestOf = ({ history }: ResultFile): Measurement | undefined => history.at(-1);
  const names = Object.values(results).flatMap((file) => {
    const machine = newestOf(file)?.machine;
    return machine === undefined ? [] : [machine.replace(/, load .*$/, "")];
  });
  const list = [...new Set(names)].sort().map((name) => `* ${name}`);
  return `Machines:\n\n${list.join("\n")}`;
}

/** The page's text. */
export const resultsPage = (results: Results): string =>
  `${[INTRODUCTION.trim(), machines(results), ...resultSections.map((section) => sectionText(section, results))].join("\n\n")}\n`;
