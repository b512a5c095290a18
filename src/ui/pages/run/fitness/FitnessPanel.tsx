import { memo, type ReactNode, useMemo, useState } from "react";
import { useStore } from "zustand";
import { Button } from "../../../components/Button.tsx";
import { Segments } from "../../../components/controls.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { Plot } from "../../../components/plot/Plot.tsx";
import { type Column, Table } from "../../../components/Table.tsx";
import { formatCount, formatDuration, formatScore } from "../../../lib/format.ts";
import { manifestNumber } from "../../../lib/manifestValues.ts";
import { useWhileOnScreen } from "../../../lib/useElement.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import { positionsOf, shownRow } from "../../../series/historyCells.ts";
import { AXES } from "../../../series/scales.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useDescendants } from "../charts/descentModel.ts";
import { type ShownHistory, useHistory } from "../history/WithHistory.tsx";
import { FitnessChart } from "../lazyParts.tsx";
import { noFitnessText } from "../runTexts.ts";
import { GenerationNote, useRunRoute, ViewSwitch } from "../shownGeneration.tsx";
import { FitnessLegend } from "./FitnessLegend.tsx";
import { type FitnessModel, fitnessModel, fitnessSummary, type Smoothing } from "./fitnessModel.ts";
import { longModel } from "./longModel.ts";
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
      label="Fitness by generation"
      height="24rem"
      columns={[
        { head: "Generation", cell: ({ row }) => formatCount(columns.generation[row] ?? 0) },
        { head: "Steps", number: true, cell: ({ row }) => formatCount(columns.global_step[row] ?? 0) },
        { head: "Time", number: true, cell: ({ row }) => formatDuration(seconds[row] ?? 0) },
        score("Elite\u2019s lineage", ({ raw, elite }) => raw?.elite ?? elite),
        score("Lowest", ({ range }) => range[0]),
        score("First quartile", ({ middle }) => middle[0]),
        score("Median", ({ raw, median }) => raw?.median ?? median),
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

const HEIGHT = 320;

/** The fitness chart on a canvas, for more generations than SVG elements can show. */
function LongFitness({ model, summary }: { readonly model: FitnessModel; readonly summary: string }) {
  const plot = useMemo(() => longModel(model), [model]);
  const { above, below } = model.domain;
  return (
    <>
      <Plot
        title={`${formatCount(model.rows.length)} generations`}
        summary={summary}
        model={plot}
        height={HEIGHT}
      />
      {above + below > 0 && (
        <p className="panel__text dim">
          Beyond the axis: ▲ {formatCount(above)} above, ▼ {formatCount(below)} below.
        </p>
      )}
    </>
  );
}

/** Maximum number of points that the SVG chart library draws fast enough; longer series use a canvas. */
const MAX_POINTS = 500;

interface FitnessProps {
  readonly session: RunView;
  readonly shown: ShownHistory;
  readonly smoothing: Smoothing;
}

/** Fitness as a chart with a text summary, or as a table. */
function Fitness({ session, shown, smoothing }: FitnessProps) {
  const route = useRunRoute();
  const manifest = useStore(session.view, (view) => view.manifest);
  const all = useDescendants(shown, route.member);
  const model = useMemo(() => {
    const target = manifestNumber(manifest, "training.target_score");
    return fitnessModel(all, { axis: route.axis, smoothing, target });
  }, [all, route.axis, smoothing, manifest]);
  const choose = (row: number): void => {
    const { generation, generations } = all.columns;
    replaceRoute({ ...route, generation: row === generations - 1 ? null : (generation[row] ?? null) });
  };
  if (route.view === "table") return <FitnessTable model={model} />;
  const words = `${fitnessSummary(model)} The Table view lists all values.`;
  return (
    <>
      {model.rows.length > MAX_POINTS ? (
        <LongFitness model={model} summary={words} />
      ) : (
        <>
          <p className="visually-hidden">{words}</p>
          <FitnessChart model={model} onChoose={choose} />
        </>
      )}
      <FitnessLegend model={model} />
    </>
  );
}

const VIEWS = { chart: "Chart", table: "Table" } as const;
const SMOOTHINGS: Readonly<Record<Smoothing, string>> = { none: "Raw", some: "Smooth", much: "Smoother" };

/** The population's fitness as a chart or as a table. */
export function FitnessPanel({ session }: { readonly session: RunView }) {
  const route = useRunRoute();
  const [smoothing, setSmoothing] = useState<Smoothing>("none");
  const { history, state } = useHistory(session);
  const { summary, manifest } = useStore(session.view);
  const { value: columns, ref } = useWhileOnScreen(history.columns);
  const content = (): ReactNode => {
    if (state.phase === "failed")
      return (
        <div className="empty fitness__empty" role="alert">
          <p>{state.problem}</p>
          <Button onClick={() => void history.catchUp()}>Try again</Button>
        </div>
      );
    if (columns === null) return <p className="loading fitness__empty">Loading the run's history…</p>;
    if (!columns.fitness.some(Number.isFinite))
      return <p className="empty fitness__empty">{summary && noFitnessText(summary, manifest)}</p>;
    const row = shownRow(columns, route.generation);
    return <Fitness session={session} shown={{ columns, history, row }} smoothing={smoothing} />;
  };
  return (
    <Panel
      title="Fitness"
      ref={ref}
      head={
        <>
          <GenerationNote />
          <Segments label="Smoothing" options={SMOOTHINGS} value={smoothing} onChange={setSmoothing} />
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
