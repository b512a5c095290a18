import { memo } from "react";
import type { GenerationReport, MemberReport } from "../../../../tracking/observer.ts";
import { LineageSwatch, mutationName } from "../../../components/marks.tsx";
import { formatCount, formatHyperparameter, formatScore, NONE } from "../../../lib/format.ts";
import { highlightHandlers, useHighlight } from "../../../state/highlight.ts";
import type { RunView } from "../../../state/RunView.ts";
import { ProtectedMark, SteeringMenu } from "../steering/SteeringMenu.tsx";
import { useCloneDrag } from "../steering/useCloneDrag.ts";
import { type PopulationColumn, shareOfRange } from "./populationColumns.ts";

interface Props {
  readonly member: MemberReport;
  readonly columns: readonly PopulationColumn[];
  /** Index of the lineage's colour, 0 to 7. */
  readonly colour: number;
  readonly elite: boolean;
  readonly selected: boolean;
  /** Called with the member's index. */
  readonly onSelect: (index: number) => void;
  readonly session: RunView;
  readonly report: GenerationReport;
  /** Whether the member can be steered. */
  readonly steered: boolean;
  /** Whether the member is protected from selection. */
  readonly isProtected: boolean;
  /** Whether the member can be dragged onto others. */
  readonly clonable: boolean;
}

/** One member of the population's table. */
export const MemberRow = memo(function MemberRow({
  member,
  columns,
  colour,
  elite,
  selected,
  onSelect,
  session,
  report,
  steered,
  isProtected,
  clonable,
}: Props) {
  const { index } = member;
  const drag = useCloneDrag(index, clonable);
  const lit = useHighlight((state) => state.member === index);
  return (
    // With the keyboard, the member's button does the same.
    <tr
      className={lit ? "population__lit" : undefined}
      onClick={({ target }) => {
        // Buttons act on their own; their menus lie outside the row, but their events bubble through it.
        const other =
          target instanceof Element && target.closest("button, [role=menu], dialog, [role=dialog]");
        if (!other) onSelect(index);
      }}
      {...highlightHandlers(index)}
      {...drag}
    >
      {columns.map((column) =>
        column.key === "member" ? (
          <th key={column.key} scope="row">
            <button
              type="button"
              className="table__choice hovers population__member inline"
              aria-expanded={selected}
              onClick={() => onSelect(index)}
            >
              <LineageSwatch colour={colour} /> #{index}
              {elite && <span className="population__elite tiny">elite</span>}
              {isProtected && <ProtectedMark />}
            </button>
          </th>
        ) : (
          <Cell key={column.key} column={column} member={member} />
        ),
      )}
      {steered && (
        <td className="actions population__menu">
          <SteeringMenu session={session} member={member} report={report} isProtected={isProtected} />
        </td>
      )}
    </tr>
  );
});

function Cell({ column, member }: { readonly column: PopulationColumn; readonly member: MemberReport }) {
  const { key, label, range } = column;
  const value = column.value(member);
  if (key === "mutation")
    return (
      <td className={member.mutation === "None" ? "dim" : undefined}>{mutationName(member.mutation)}</td>
    );
  if (key === "parent") return <td>{typeof value === "number" ? `#${value}` : (value ?? NONE)}</td>;
  if (key === "architecture") return <td className="mono">{member.architecture}</td>;
  if (key === "steps" || key === "subpopulation")
    return <td className="number">{typeof value === "number" ? formatCount(value) : NONE}</td>;
  if (!key.startsWith("hyperparameter"))
    return (
      <td className={key === "fitness" ? "number population__fitness" : "number"}>
        {formatScore(typeof value === "number" ? value : null)}
      </td>
    );
  const number = typeof value === "number" ? value : Number.NaN;
  return (
    <td className={label === member.mutation ? "number population__changed" : "number"}>
      {formatHyperparameter(number)}
      {range !== null && (
        <span
          className="share population__bar wide"
          title={`between ${formatHyperparameter(range.min)} and ${formatHyperparameter(range.max)}`}
        >
          <span style={{ width: `${100 * shareOfRange(number, range)}%` }} />
        </span>
      )}
    </td>
  );
}
