import type { Descendants } from "../../../../src/ui/pages/run/charts/descentModel.ts";
import { lineageFate, lineageGraph } from "../../../../src/ui/pages/run/descent/LineageGraph.ts";
import { lineageColours } from "../../../../src/ui/series/lineageColours.ts";
import { historyOf } from "../../support/histories.ts";
import { generationReport } from "../../support/reports.ts";

/** A member: its identity, the one it was cloned from, and its fitness. */
export type Member = readonly [index: number, parent: number | null, fitness: number];

/** Generations of members as charts see them from a row, the last unless given. */
export function descendantsOf(
  generations: readonly (readonly Member[])[],
  row = generations.length - 1,
): Descendants {
  const columns = historyOf(
    generations.map((members, at) => {
      const report = generationReport(
        at + 1,
        members.map(([, , fitness]) => fitness),
      );
      return {
        ...report,
        members: report.members.map((member, slot) => ({
          ...member,
          index: members[slot]?.[0] ?? -1,
          parent: members[slot]?.[1] ?? null,
        })),
      };
    }),
  );
  const graph = lineageGraph(columns);
  return {
    columns,
    graph,
    fate: lineageFate(graph, columns, row),
    colours: lineageColours(columns),
    selected: null,
  };
}
