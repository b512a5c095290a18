import { type Figure, meets } from "./Row.ts";
import type { Summary } from "./statistics.ts";

export const formatNumber = (value: number, digits = 1): string =>
  Number.isFinite(value)
    ? value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : "none";

/** A Markdown table with aligned columns. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, i) => (cells[i] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(header), `|${widths.map((w) => "-".repeat(w + 2)).join("|")}|`, ...rows.map(line)].join("\n");
}

/** A table with one line per figure. */
export function figureTable(figures: readonly Figure[], summaries: readonly Summary[]): string {
  return markdownTable(
    ["figure", "unit", "median", "min", "max", "target", "met"],
    figures.map((figure, i) => {
      const { median, min, max } = summaries[i] ?? { median: Number.NaN, min: Number.NaN, max: Number.NaN };
      const { target, digits, name, unit } = figure;
      const bound = !target ? "" : "at_most" in target ? `<= ${target.at_most}` : `>= ${target.at_least}`;
      const met = meets(figure, median);
      const numbers = [median, min, max].map((value) => formatNumber(value, digits));
      return [name, unit, ...numbers, bound, met === null ? "" : met ? "yes" : "no"];
    }),
  );
}
