import { formatScore } from "../../../lib/format.ts";
import type { FitnessModel } from "./fitnessModel.ts";

/** A text description of the chart. */
export function fitnessSummary({ rows, all, crowded, target, domain }: FitnessModel): string {
  const last = rows.at(-1);
  if (last === undefined) return "";
  const { population, generation } = all.columns;
  const what = crowded
    ? `Chart of how the fitness of ${population} members is spread.`
    : `Line chart, each of ${population} members joined with the one that it came from.`;
  const cut = domain.above + domain.below;
  return [
    what,
    `After generation ${generation[last.row]} the median is ${formatScore(last.raw?.median ?? last.median)},`,
    `the best fitness so far ${formatScore(last.best)}${target === null ? "" : `, the target ${formatScore(target)}`}.`,
    ...(cut > 0 ? [`${cut} values lie beyond the axis.`] : []),
  ].join(" ");
}
