import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { trainsOnText } from "../../../../specs/sections.ts";
import type { GenerationReport } from "../../../../tracking/observer.ts";
import { Panel } from "../../../components/Panel.tsx";
import { type ColumnHead, TableFrame } from "../../../components/Table.tsx";
import { type FitnessWord, useFitnessWord } from "../../../games/fitnessWord.tsx";
import { formatCount } from "../../../lib/format.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import { shownRow } from "../../../series/historyCells.ts";
import { hyperparameterRanges, type Range } from "../../../series/hyperparameterRanges.ts";
import type { RunView } from "../../../state/RunView.ts";
import { LineageGraph } from "../descent/LineageGraph.ts";
import { type Reading, useReports } from "../history/stored.ts";
import { useHistory } from "../history/WithHistory.tsx";
import { HOLDS, noGenerationText } from "../runTexts.ts";
import { GenerationNote, shownGeneration, useRunRoute } from "../shownGeneration.tsx";
import { canSteer, useProtected } from "../steering/steering.ts";
import { MemberDetails } from "./MemberDetails.tsx";
import { MemberRow } from "./MemberRow.tsx";
import { MAX_ANCESTORS, type MemberAt, memberAt } from "./memberAt.ts";
import { populationColumns, type Sorting, sortedMembers } from "./populationColumns.ts";
import "./PopulationTab.css";

interface Props {
  readonly session: RunView;
  readonly report: GenerationReport;
  /** Bounds of the hyperparameters that mutate. */
  readonly ranges: Readonly<Record<string, Range>>;
  /** Whether another generation is loading. */
  readonly busy: boolean;
  /** Index of the member whose details are open. */
  readonly selected: number | null;
  readonly onSelect: (index: number) => void;
  /** Whether members can be steered. */
  readonly steered: boolean;
}

/** A table of a generation's members, with the same columns for every generation. */
function PopulationTable({ session, report, ranges, busy, selected, onSelect, steered }: Props) {
  const { history } = useHistory(session);
  const protectedNow = useProtected(session);
  const text = useStore(session.view, ({ manifest }) => trainsOnText(manifest));
  const [sorting, setSorting] = useState<Sorting>({ key: "fitness", descending: true });
  const word = useFitnessWord();
  const columns = useMemo(() => populationColumns(report, ranges, word), [report, ranges, word]);
  const members = useMemo(() => sortedMembers(report.members, columns, sorting), [report, columns, sorting]);
  const sortBy = (key: string): void =>
    setSorting((before) => ({ key, descending: before.key === key ? !before.descending : true }));
  const direction = sorting.descending ? "descending" : "ascending";
  const heads = columns.map(
    ({ key, label, number, code }): ColumnHead => ({
      head: key,
      label: (
        <button type="button" className="table__sort" onClick={() => sortBy(key)}>
          {code ? <code>{label}</code> : label}
          <span aria-hidden="true" className="population__arrow">
            {sorting.key === key ? (sorting.descending ? "▼" : "▲") : ""}
          </span>
        </button>
      ),
      number,
      sorted: sorting.key === key ? direction : "none",
    }),
  );
  if (steered) heads.push({ head: "Steering", hidden: true });
  return (
    <TableFrame label="Members" className="population" columns={heads} busy={busy}>
      <tbody>
        {members.map((member) => (
          <MemberRow
            key={member.index}
            member={member}
            columns={columns}
            colour={history.colours.of(member.index)}
            elite={member.slot === report.elite}
            selected={member.index === selected}
            onSelect={onSelect}
            session={session}
            report={report}
            steered={steered}
            isProtected={steered && protectedNow.has(member.index)}
            clonable={steered && !text}
          />
        ))}
      </tbody>
    </TableFrame>
  );
}

/** Explains why a generation has no table. */
const reasonOf = (reading: Reading, generation: number, word: FitnessWord): string => {
  if (reading.state === "reading") return `Loading generation ${formatCount(generation)}…`;
  if (reading.state === "failed")
    return `Generation ${formatCount(generation)} could not be read: ${reading.problem}`;
  return `Only the ${word} of each member of generation ${formatCount(generation)} is available: the log of its members was deleted or damaged.`;
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
  const word = useFitnessWord();
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
      {index < 0 && summary && (
        <p className="empty">
          {HOLDS.population} {noGenerationText(summary)}
        </p>
      )}
      {index >= 0 && report === undefined && <p className="empty">{reasonOf(reading, generation, word)}</p>}
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
        <p className="details__ended small dim">
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
