import { useMemo, useState } from "react";
import { useStore } from "zustand";
import type { GenerationReport } from "../../../../tracking/observer.ts";
import { Panel } from "../../../components/Panel.tsx";
import { formatCount } from "../../../lib/format.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import { shownRow } from "../../../series/historyCells.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useHistory } from "../../../state/useHistory.ts";
import { LineageGraph } from "../descent/LineageGraph.ts";
import { type Reading, useReports } from "../history/useReports.ts";
import { hyperparameterRanges } from "../hyperparameters/hyperparameterRanges.ts";
import { GenerationNote, shownGeneration, useRunRoute } from "../shownGeneration.tsx";
import { canSteer } from "../steering/steering.ts";
import { noGenerationText } from "../waitingText.ts";
import { MemberDetails } from "./MemberDetails.tsx";
import { MAX_ANCESTORS, type MemberAt, memberAt } from "./memberAt.ts";
import { PopulationTable } from "./PopulationTable.tsx";
import "./PopulationTab.css";

/** Explains why a generation has no table. */
const reasonOf = (reading: Reading, generation: number): string => {
  if (reading.state === "reading") return `Loading generation ${formatCount(generation)}…`;
  if (reading.state === "failed")
    return `Generation ${formatCount(generation)} could not be read: ${reading.problem}`;
  return `Only the fitness values of generation ${formatCount(generation)} are available: the log of its members was deleted or damaged.`;
};

/** The report of a generation; while it is loading, the previously shown one. */
function useShown(session: RunView, generation: number, reading: Reading): GenerationReport | undefined {
  const held = session.reports.get(generation);
  const [shown, setShown] = useState(held);
  if (held !== undefined && held !== shown) setShown(held);
  return held ?? (reading.state === "reading" ? shown : undefined);
}

/**
 * The agent that represents the route's member in the shown generation; the member itself until the history
 * is loaded.
 */
function useMemberAt(session: RunView): MemberAt | null {
  const { member, generation } = useRunRoute();
  const { history } = useHistory(session);
  const { columns } = history;
  const [graph] = useState(() => new LineageGraph());
  return useMemo(() => {
    if (member === null) return null;
    if (columns === null) return { index: member, as: "itself" };
    graph.catchUp(columns);
    return memberAt(columns, graph, member, shownRow(columns, generation));
  }, [graph, columns, member, generation]);
}

/** The members of the shown generation. */
export function PopulationTab({ session }: { readonly session: RunView }) {
  const route = useRunRoute();
  // The columns and reports grow in place; the view's version signals their growth.
  const { manifest, summary } = useStore(session.view);
  const { columns, reports } = session;
  const { row: index, generation, live } = shownGeneration(columns, route.generation);
  const ancestors = route.member === null ? 0 : Math.min(index, MAX_ANCESTORS - 1);
  const reading = useReports(session, columns.generation[index - ancestors] ?? 1, generation);
  const report = useShown(session, generation, reading);
  const ranges = useMemo(() => hyperparameterRanges(manifest), [manifest]);
  const chosen = useMemberAt(session);
  const selected = report?.members.find((member) => member.index === chosen?.index);
  const line: GenerationReport[] = [];
  for (let at = index; at >= index - ancestors; at -= 1) {
    const before = reports.get(columns.generation[at] ?? 0);
    if (before === undefined) break;
    line.push(before);
  }
  const select = (member: number): void =>
    replaceRoute({ ...route, member: chosen?.index === member ? null : member });
  return (
    <Panel title="Population" head={<GenerationNote />}>
      {index < 0 && summary && <p className="empty">{noGenerationText(summary)}</p>}
      {index >= 0 && report === undefined && <p className="empty">{reasonOf(reading, generation)}</p>}
      {report !== undefined && (
        <PopulationTable
          session={session}
          report={report}
          ranges={ranges}
          busy={report.generation !== generation}
          selected={selected?.index ?? null}
          onSelect={select}
          steered={live && canSteer(summary)}
        />
      )}
      {route.member !== null && chosen === null && (
        <p className="details__note details__ended">
          The lineage of member #{route.member} ended before generation {formatCount(generation)}.
        </p>
      )}
      {selected !== undefined && chosen !== null && (
        <MemberDetails
          route={route}
          member={selected}
          generations={line}
          reading={reading}
          as={chosen.as === "itself" || route.member === null ? null : `${chosen.as} of #${route.member}`}
        />
      )}
    </Panel>
  );
}
