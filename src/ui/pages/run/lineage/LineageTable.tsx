import { useState } from "react";
import { MUTATION_KINDS } from "../../../../workers/protocol.ts";
import { MutationMark } from "../../../components/marks.tsx";
import { mutationName } from "../../../components/mutations.ts";
import { ScrollRegion } from "../../../components/ScrollRegion.tsx";
import { formatCount, formatScore, NONE } from "../../../lib/format.ts";
import { formatRoute } from "../../../routes/route.ts";
import { useRunRoute } from "../shownGeneration.tsx";
import { births, type LineageScene } from "./LineageScene.ts";

/** Number of rows shown at first, and added on request. */
const PAGE = 200;

/** The lineage as a table: every agent with its parent, mutation, fitness and fate. */
export function LineageTable({ scene }: { readonly scene: LineageScene }) {
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
      <ScrollRegion className="table-scroll lineage__table" label="Agents">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col" className="number">
                Generation
              </th>
              <th scope="col">Parent</th>
              <th scope="col">Mutation</th>
              <th scope="col" className="number">
                Fitness
              </th>
              <th scope="col">Lineage</th>
            </tr>
          </thead>
          <tbody>
            {cells.slice(0, shown).map((cell) => {
              const before = graph.before(cell);
              const kind = MUTATION_KINDS[columns.mutation_kind[cell] ?? 0] ?? "none";
              return (
                <tr key={cell}>
                  <th scope="row">
                    <a href={formatRoute({ ...route, member: columns.index[cell] ?? null })}>
                      #{columns.index[cell]}
                    </a>
                  </th>
                  <td className="number">
                    {formatCount(columns.generation[Math.floor(cell / columns.population)] ?? 0)}
                  </td>
                  <td>{before < 0 ? NONE : `#${columns.index[before]}`}</td>
                  <td>
                    <MutationMark kind={kind} />{" "}
                    {mutationName(columns.mutations[columns.mutation[cell] ?? -1] ?? NONE)}
                  </td>
                  <td className="number">{formatScore(columns.fitness[cell] ?? null)}</td>
                  <td>{becomes(cell)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
      {cells.length > shown && (
        <p className="lineage__more">
          Showing the newest {formatCount(shown)} of {formatCount(cells.length)} agents.{" "}
          <button type="button" className="button button--small" onClick={() => setShown(shown + PAGE)}>
            Show {PAGE} more
          </button>
        </p>
      )}
    </>
  );
}
