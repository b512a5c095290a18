import type { PlotModel } from "./PlotModel.ts";

/** The values at a position of a chart, such as "generation 12: median 3.2, elite 4". */
export function readoutOf(model: PlotModel, at: number | null): string {
  const position = at === null ? undefined : model.x[at];
  if (at === null || position === undefined) return "";
  const values = model.lines.flatMap(({ label, values: line, read }) => {
    const value = line[at];
    return read && value !== null && value !== undefined ? [`${label} ${model.format(value)}`] : [];
  });
  const marks = model.marks.filter(({ x }) => x === position).map(({ label }) => label);
  const place = `${model.byGeneration ? "generation " : ""}${model.formatX(position)}`;
  return `${place}: ${[...values, ...marks].join(", ")}`;
}
