import { useMemo } from "react";
import { Panel } from "../../../components/Panel.tsx";
import { type Column, Table } from "../../../components/Table.tsx";
import { formatBytes, formatMilliseconds, formatThings, NONE } from "../../../lib/format.ts";
import { useCalmly } from "../../../lib/updateClock.ts";
import { useElementWidth } from "../../../lib/useElement.ts";
import type { RunView } from "../../../state/RunView.ts";
import { MemberLink } from "../agents/MemberLink.tsx";
import { useDescendants } from "../charts/descentModel.ts";
import type { ShownHistory } from "../history/WithHistory.tsx";
import { GenerationNote } from "../shownGeneration.tsx";
import { TimelineDrawing } from "./TimelineDrawing.tsx";
import { meanEvaluation, type Turn, timelineOf, turnsOf } from "./turns.ts";
import { useMemberBytes } from "./useMemberBytes.ts";
import "./TurnsPanel.css";

const percent = (share: number | null): string => (share === null ? NONE : `${Math.round(100 * share)} %`);

const time = (ms: number | null): string => (ms === null ? NONE : formatMilliseconds(ms));

/** Milliseconds between two generations that are shown while a run trains. */
const INTERVAL = 2000;

interface Props {
  readonly session: RunView;
  readonly shown: ShownHistory;
}

/** Which worker trained which member when in one generation, what share was evaluation, and what memory members take. */
export function TurnsPanel({ session, shown }: Props) {
  const calm = useCalmly(shown, INTERVAL);
  const { columns, history, row } = calm;
  const { colours } = history;
  const { width, ref } = useElementWidth();
  const { graph } = useDescendants(calm, null);
  const turns = useMemo(() => turnsOf(columns, (cell) => graph.before(cell), row), [columns, graph, row]);
  const bytes = useMemberBytes(session, columns, graph, row);
  const timeline = timelineOf(turns);
  const evaluated = meanEvaluation(turns);
  const isTimed = turns.some(({ milliseconds }) => milliseconds !== null);
  const table: readonly (Column<Turn> | false)[] = [
    {
      head: "Member",
      cell: ({ index }) => <MemberLink member={index} colours={colours} tab="population" />,
    },
    timeline !== null && {
      head: "Worker",
      number: true,
      cell: ({ worker }) => (worker === null ? NONE : worker + 1),
    },
    timeline !== null && { head: "Began after", number: true, cell: ({ started }) => time(started) },
    isTimed && { head: "Turn", number: true, cell: ({ milliseconds }) => time(milliseconds) },
    evaluated !== null && {
      head: "Evaluation",
      number: true,
      hint: "Share of the turn's environment steps that belong to the evaluation",
      cell: ({ evaluation }) => percent(evaluation),
    },
    bytes.size > 0 && {
      head: "Weights",
      number: true,
      hint: "Memory of its networks, 4 bytes a parameter; optimisers and copies for targets come on top",
      cell: ({ cell }) => {
        const own = bytes.get(cell);
        return own === undefined ? NONE : formatBytes(own);
      },
    },
  ];
  const own = table.filter((column) => column !== false);
  // Members of models that share their memory, trained together: there is nothing to tell of each.
  if (own.length === 1) return null;
  return (
    <Panel title="Turns and memory" head={<GenerationNote />}>
      <div ref={ref} className="panel__text">
        {timeline !== null && width > 0 && (
          <TimelineDrawing timeline={timeline} colours={colours} width={width} />
        )}
        <p>
          {timeline === null
            ? isTimed
              ? "When and in which worker members trained is not told of this generation: an earlier version trained it, or no workers did."
              : "These members were trained together, so none has a time of its own."
            : `${formatThings(timeline.workers.length, "worker")} trained ${formatThings(turns.length, "member")} in ${formatMilliseconds(timeline.length)}. ${percent(timeline.busy)} of the workers' time were turns.`}
          {evaluated !== null &&
            ` Evaluation took ${percent(evaluated)} of the environment steps${timeline === null ? "" : ", the faint ends of the bars"}.`}
        </p>
      </div>
      <Table
        label="Turns and memory of the members"
        height="20rem"
        columns={own}
        rows={turns}
        keyOf={({ cell }) => cell}
      />
    </Panel>
  );
}
