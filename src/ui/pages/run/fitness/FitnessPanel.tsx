import { memo, type ReactNode } from "react";
import { useStore } from "zustand";
import { Button } from "../../../components/Button.tsx";
import { Segments } from "../../../components/controls.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { Plot } from "../../../components/plot/Plot.tsx";
import { PlotSmoothing } from "../../../components/plot/PlotSmoothing.tsx";
import { type Column, Table } from "../../../components/Table.tsx";
import { headOf, useFitnessWord } from "../../../games/fitnessWord.tsx";
import { formatCount, formatDuration, formatScore } from "../../../lib/format.ts";
import { useWhileOnScreen } from "../../../lib/useElement.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import { positionsOf, shownRow } from "../../../series/historyCells.ts";
import { AXES } from "../../../series/scales.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useDescendants } from "../charts/descentModel.ts";
import { type ShownHistory, useHistory } from "../history/WithHistory.tsx";
import { noFitnessText } from "../runTexts.ts";
import { GenerationNote, useRunRoute, ViewSwitch } from "../shownGeneration.tsx";
import { dipText } from "./beginning.ts";
import { type FitnessModel, fitnessSummary } from "./fitnessModel.ts";
import { fitnessLegend } from "./fitnessPlot.ts";
import { TargetReached } from "./TargetReached.tsx";
import { useFitnessPlot } from "./useFitnessPlot.ts";
import "./FitnessPanel.css";

/** Maximum number of rows; thousands of rows would be slow and hard to read. */
const MAX_ROWS = 200;

type Row = FitnessModel["rows"][number];

/** The numbers behind the fitness chart for evaluated generations, latest first. */
const FitnessTable = memo(function FitnessTable({ model }: { readonly model: FitnessModel }) {
  const { rows, all } = model;
  const { columns } = all;
  const seconds = positionsOf(columns, "time");
  const score = (head: string, value: (row: Row) => number | null): Column<Row> => ({
    head,
    number: true,
    cell: (row) => formatScore(value(row)),
  });
  return (
    <Table
      label={`${headOf(model.word)} by generation`}
      height="24rem"
      columns={[
        { head: "Generation", cell: ({ row }) => formatCount(columns.generation[row] ?? 0) },
        { head: "Steps", number: true, cell: ({ row }) => formatCount(columns.global_step[row] ?? 0) },
        { head: "Time", number: true, cell: ({ row }) => formatDuration(seconds[row] ?? 0) },
        score("Elite\u2019s lineage", ({ elite }) => elite),
        score("Lowest", ({ range }) => range[0]),
        score("First quartile", ({ middle }) => middle[0]),
        score("Median", ({ median }) => median),
        score("Third quartile", ({ middle }) => middle[1]),
        score("Highest", ({ range }) => range[1]),
        score("Best so far", ({ best }) => best),
      ]}
      rows={rows.slice(-MAX_ROWS).toReversed()}
      keyOf={({ row }) => row}
      below={
        rows.length > MAX_ROWS && (
          <p className="panel__text dim">
            Showing the latest {MAX_ROWS} of {formatCount(rows.length)} generations.
          </p>
        )
      }
    />
  );
});

interface FitnessProps {
  readonly session: RunView;
  readonly shown: ShownHistory;
}

/** Fitness as a chart with a text summary, or as a table. */
function Fitness({ session, shown }: FitnessProps) {
  const route = useRunRoute();
  const { manifest, summary } = useStore(session.view);
  const all = useDescendants(shown, route.member);
  const { model, plot, dots } = useFitnessPlot(session, all, route.axis);
  const { generation, generations } = all.columns;
  const choose = (row: number): void =>
    replaceRoute({ ...route, generation: row === generations - 1 ? null : (generation[row] ?? null) });
  if (route.view === "table") return <FitnessTable model={model} />;
  return (
    <Plot
      title={headOf(model.word)}
      untitled
      summary={`${fitnessSummary(model)} The Table view lists all values.`}
      model={plot}
      legend={fitnessLegend(model, dots)}
      note={
        summary && (
          <>
            {model.beginning && (
              <p className="small">{dipText(model.beginning, model.rows, all.columns.generation)}</p>
            )}
            <TargetReached model={model} summary={summary} manifest={manifest} />
          </>
        )
      }
      onChoose={choose}
    />
  );
}

const VIEWS = { chart: "Chart", table: "Table" } as const;

/** The population's fitness as a chart or as a table. */
export function FitnessPanel({ session }: { readonly session: RunView }) {
  const route = useRunRoute();
  const { history, state } = useHistory(session);
  const { summary, manifest } = useStore(session.view);
  const word = useFitnessWord();
  const { value: columns, ref } = useWhileOnScreen(history.columns);
  const hasEpisodes = useStore(session.view, ({ episodes }) => episodes.length > 0);
  const content = (): ReactNode => {
    if (state.phase === "failed")
      return (
        <div className="empty fitness__empty" role="alert">
          <p>{state.problem}</p>
          <Button onClick={() => void history.catchUp()}>Try again</Button>
        </div>
      );
    if (columns === null) return <p className="loading fitness__empty dim">Loading the run's history…</p>;
    if (!columns.fitness.some(Number.isFinite) && !hasEpisodes)
      return <p className="empty fitness__empty">{summary && noFitnessText(summary, manifest)}</p>;
    const row = shownRow(columns, route.generation);
    return (
      <Fitness
        session={session}
        shown={{ columns, history, row, champion: summary?.champion?.index ?? null }}
      />
    );
  };
  return (
    <Panel
      title={headOf(word)}
      className="fitness"
      ref={ref}
      head={
        <>
          <GenerationNote />
          <PlotSmoothing />
          <Segments
            label="Horizontal axis"
            options={AXES}
            value={route.axis}
            onChange={(axis) => replaceRoute({ ...route, axis })}
          />
          <ViewSwitch options={VIEWS} />
        </>
      }
    >
      {content()}
    </Panel>
  );
}
