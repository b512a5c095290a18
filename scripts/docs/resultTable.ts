/** Rows of results as tables of other pages, between `<!-- results of ROW -->` and `<!-- end of results -->`. */
import { latest, type ResultFile } from "../../bench/harness/ResultFile.ts";
import { type Results, shown } from "./resultsPage.ts";

/** Column of figures whose name has none. */
const COLUMN = "delivered";

/** A figure's place, from a name such as "random search: DQN, CartPole (area)"; colons in code do not count. */
const NAME = /^(?<line>(?:`[^`]*`|[^:`])*?)(?:: (?<column>.*?))?(?<aside> \([^)]*\))?$/;

/** A figure with its interval. */
function cell(file: ResultFile, at: number): string {
  const [figure, value] = [file.figures[at], latest(file, at)?.values[at]];
  if (figure === undefined || value == null) return "";
  const { min, max } = value;
  const range =
    min === undefined || max === undefined ? "" : ` [${shown(figure, min)}, ${shown(figure, max)}]`;
  return `${shown(figure, value.median)}${figure.unit === "" ? "" : ` ${figure.unit}`}${range}`;
}

/** A row's figures, one line for each part of their names before the colon, and one column for each part behind it. */
export function resultTable(file: ResultFile): string {
  const lines = new Map<string, Map<string, string>>();
  for (const [at, { name }] of file.figures.entries()) {
    const { line = name, column = COLUMN, aside } = NAME.exec(name)?.groups ?? {};
    const cells = lines.get(line) ?? new Map<string, string>();
    const text = aside === undefined ? cell(file, at) : `${cells.get(column) ?? ""} (${cell(file, at)})`;
    lines.set(line, cells.set(column, text));
  }
  const columns = [...new Set([...lines.values()].flatMap((cells) => [...cells.keys()]))];
  return [
    [file.title, ...columns],
    ["", ...columns].map(() => "---"),
    ...[...lines].map(([line, cells]) => [line, ...columns.map((column) => cells.get(column) ?? "")]),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

const MARKED = /(<!-- results of ([\w-]+) -->)[\s\S]*?(<!-- end of results -->)/g;

/** Rows that a page shows. */
export const rowsOnPage = (page: string): string[] => [...page.matchAll(MARKED)].map(([, , row = ""]) => row);

/**
 * A page whose tables between marks are generated again.
 * @throws RangeError for a row that was never measured.
 */
export const withResultTables = (page: string, results: Results): string =>
  page.replaceAll(MARKED, (_, start: string, row: string, end: string) => {
    const file = results[row];
    if (file === undefined) throw new RangeError(`results of ${row}: found no bench/results/${row}.json`);
    return `${start}\n\n${resultTable(file)}\n\n${end}`;
  });
