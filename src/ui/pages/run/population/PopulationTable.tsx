import { useMemo, useState } from "react";
import type { GenerationReport } from "../../../../tracking/observer.ts";
import { type ColumnHead, TableFrame } from "../../../components/Table.tsx";
import type { RunView } from "../../../state/RunView.ts";
import { useHistory } from "../../../state/useHistory.ts";
import type { Range } from "../hyperparameters/hyperparameterRanges.ts";
import { useProtected } from "../steering/steering.ts";
import { MemberRow } from "./MemberRow.tsx";
import { populationColumns, type Sorting, sortedMembers } from "./populationColumns.ts";

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
export function PopulationTable({ session, report, ranges, busy, selected, onSelect, steered }: Props) {
  const { history } = useHistory(session);
  const protectedNow = useProtected(session);
  const [sorting, setSorting] = useState<Sorting>({ key: "fitness", descending: true });
  const columns = useMemo(() => populationColumns(report, ranges), [report, ranges]);
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
          />
        ))}
      </tbody>
    </TableFrame>
  );
}
