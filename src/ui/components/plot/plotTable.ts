import { csvLine } from "../../../tracking/clients.ts";
import type { PlotModel } from "./PlotModel.ts";

const written = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value) ? "" : String(value);

/**
 * The numbers of a chart as CSV: a row for each position with the values of all lines before smoothing, and one for
 * each dot.
 */
export function plotTable({ axis, x, lines, dots = [] }: PlotModel): string {
  const head = [axis, ...lines.map(({ label }) => label), ...dots.map(({ label }) => label)];
  const rows = x.map((position, at) => [
    String(position),
    ...lines.map(({ values }) => written(values[at])),
    ...dots.map(() => ""),
  ]);
  const single = dots.flatMap(({ x: at, y }, own) =>
    Array.from(y, (value, index) => [
      written(at[index]),
      ...lines.map(() => ""),
      ...dots.map((_, other) => (other === own ? written(value) : "")),
    ]),
  );
  return [head, ...rows, ...single].map(csvLine).join("");
}
