import { formatScore } from "../../../lib/format.ts";
import type { FitnessModel } from "./fitnessModel.ts";

/** A text description of the chart. */
export function fitnessSummary({ rows, all, crowded, target, domain }: FitnessModel): string {
  const last = rows.at(-1);
  if (last === undefined) return "";
  const { population, generation } = all.columns;
  const what = crowded
    ? `Chart of the fitness distribution of ${population} members.`
    : `Line chart that connects each of ${population} members to its parent.`;
  const cut = domain.above + domain.below;
  return [
    what,
    `After generation ${generation[last.row]} the median is ${formatScore(last.raw?.median ?? last.median)},`,
    target === null
      ? `and the best fitness so far is ${formatScore(last.best)}.`
      : `the best fitness so far is ${formatScore(last.best)}, and the target is ${formatScore(target)}.`,
    ...(cut > 0 ? [`${cut} ${cut === 1 ? "value lies" : "values lie"} beyond the axis.`] : []),
  ].join(" ");
}
