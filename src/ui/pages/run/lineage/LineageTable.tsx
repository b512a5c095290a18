import { useState } from "react";
import { MUTATION_KINDS } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { MutationMark, mutationName } from "../../../components/marks.tsx";
import { Table } from "../../../components/Table.tsx";
import { headOf, useFitnessWord } from "../../../games/fitnessWord.tsx";
import { formatCount, formatScore, NONE } from "../../../lib/format.ts";
import { formatRoute } from "../../../routes/route.ts";
import { useRunRoute } from "../shownGeneration.tsx";
import { births, type LineageScene } from "./LineageScene.ts";

/** Number of rows shown at first, and added on request. */
const PAGE = 200;

/** The lineage as a table: every agent with its parent, mutation, fitness and fate. */
export function LineageTable({ scene }: { readonly scene: LineageScene }) {
  const word = useFitnessWord();
  const route = useRunRoute();
  const [shown, setShown] = useState(PAGE);
  const { columns, graph, fate } = scene;
  const cells = births(columns, fate.row);
  const becomes = (cell: number): string => {
    if (fate.elite[Math.floor(cell / columns.population)] === cell) return "elite or its ancestor";
    return fate.survives[cell] === 1 ? "survives" : "ended";
  };
  return (
    <>
      <Table
        label="Agents"
        height="36rem"
        columns={[
          {
            head: "Agent",
            cell: (cell) => (
              <a href={formatRoute({ ...route, member: columns.index[cell] ?? null })}>
                #{columns.index[cell]}
              </a>
            ),
          },
          {
            head: "Generation",
            number: true,
            cell: (cell) => formatCount(columns.generation[Math.floor(cell / columns.population)] ?? 0),
          },
          {
            head: "Parent",
            cell: (cell) => {
              const before = graph.before(cell);
              return before < 0 ? NONE : `#${columns.index[before]}`;
            },
          },
          {
            head: "Mutation",
            cell: (cell) => (
              <>
                <MutationMark kind={MUTATION_KINDS[columns.mutation_kind[cell] ?? 0] ?? "none"} />{" "}
                {mutationName(columns.mutations[columns.mutation[cell] ?? -1] ?? NONE)}
              </>
            ),
          },
          { head: headOf(word), number: true, cell: (cell) => formatScore(columns.fitness[cell] ?? null) },
          { head: "Lineage", cell: becomes },
        ]}
        rows={cells.slice(0, shown)}
        keyOf={(cell) => cell}
      />
      {cells.length > shown && (
        <p className="faint lineage__more">
          Showing the newest {formatCount(shown)} of {formatCount(cells.length)} agents.{" "}
          <Button small onClick={() => setShown(shown + PAGE)}>
            Show {PAGE} more
          </Button>
        </p>
      )}
    </>
  );
}
