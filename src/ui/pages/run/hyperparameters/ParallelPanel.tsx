import { useMemo, useState } from "react";
import { thinned } from "../../../../tracking/history.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { Segments } from "../../../components/controls.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { type Column, Table } from "../../../components/Table.tsx";
import { useFitnessWord } from "../../../games/fitnessWord.tsx";
import { formatCount, formatHyperparameter, formatScore, formatThings } from "../../../lib/format.ts";
import { lastCellOf } from "../../../series/historyCells.ts";
import type { TunedHyperparameter } from "../../../series/hyperparameterRanges.ts";
import { fitnessScale } from "../../../series/scales.ts";
import { useHighlight } from "../../../state/highlight.ts";
import { eliteAsOf } from "../descent/LineageGraph.ts";
import { GenerationNote, useRunRoute } from "../shownGeneration.tsx";
import { AxisControls } from "./AxisControls.tsx";
import type { ShownAxis } from "./drawParallel.ts";
import { ParallelCanvas } from "./ParallelCanvas.tsx";
import { type AxisSetting, dimensionOf, passes, settingsFor, withSetting } from "./parallel.ts";

const MAX_ROWS = 200;

interface ParallelTableProps {
  readonly columns: HistoryColumns;
  readonly cells: readonly number[];
  readonly axes: readonly ShownAxis[];
}

/** The agents of the parallel coordinates as a table, fittest first. */
function ParallelTable({ columns, cells, axes }: ParallelTableProps) {
  const { fitness, generation, index, population } = columns;
  const value = (cell: number): number => fitness[cell] ?? Number.NaN;
  const rank = (cell: number): number =>
    Number.isFinite(value(cell)) ? value(cell) : Number.NEGATIVE_INFINITY;
  const shown = cells.toSorted((a, b) => rank(b) - rank(a)).slice(0, MAX_ROWS);
  return (
    <Table
      label="Agents"
      height="24rem"
      columns={[
        { head: "Agent", cell: (cell) => `#${index[cell]}` },
        {
          head: "Generation",
          number: true,
          cell: (cell) => formatCount(generation[Math.floor(cell / population)] ?? 0),
        },
        ...axes.map(
          ({ dimension: { name, values } }): Column<number> => ({
            head: name,
            number: true,
            cell: (cell) => formatHyperparameter(values[cell] ?? Number.NaN),
          }),
        ),
      ]}
      rows={shown}
      keyOf={(cell) => cell}
      below={
        cells.length > MAX_ROWS && (
          <p className="panel__text panel__text--small">
            Showing the fittest {MAX_ROWS} of {formatCount(cells.length)} agents.
          </p>
        )
      }
    />
  );
}

const SCOPES = { generation: "This generation", all: "All generations" } as const;
const VIEWS = { chart: "Chart", table: "Table" } as const;

/** Maximum number of lines; more would be slow and hide each other. */
const MOST_LINES = 4000;

interface Props {
  readonly columns: HistoryColumns;
  readonly row: number;
  readonly tuned: readonly TunedHyperparameter[];
}

/** Parallel coordinates of hyperparameters and fitness, with one line per agent. */
export function ParallelPanel({ columns, row, tuned }: Props) {
  const { member } = useRunRoute();
  const pointed = useHighlight((state) => state.member);
  const [scope, setScope] = useState<keyof typeof SCOPES>("generation");
  const [view, setView] = useState<keyof typeof VIEWS>("chart");
  const [chosen, setChosen] = useState<readonly AxisSetting[]>([]);
  const { population, fitness, hyperparameters } = columns;
  const word = useFitnessWord();
  const dimensions = useMemo(
    () =>
      [
        ...tuned.map(({ name, range }) =>
          dimensionOf(name, hyperparameters[name] ?? new Float64Array(), range),
        ),
        dimensionOf(word, fitness),
      ].filter((one) => one !== null),
    [tuned, hyperparameters, fitness, word],
  );
  const settings = settingsFor(dimensions, chosen);
  const cells = useMemo(() => {
    const first = scope === "all" ? 0 : row;
    return Array.from({ length: (row + 1 - first) * population }, (_, at) => first * population + at);
  }, [scope, row, population]);
  const scale = useMemo(() => fitnessScale(fitness), [fitness]);
  const scene = useMemo(() => {
    const axes = settings.flatMap((setting) => {
      const dimension = dimensions.find(({ name }) => name === setting.name);
      return setting.shown && dimension !== undefined ? [{ dimension, setting }] : [];
    });
    const lit = new Set(
      [member, pointed].flatMap((index) => (index === null ? [] : (lastCellOf(columns, index, row) ?? []))),
    );
    return {
      axes,
      cells: thinned(cells, MOST_LINES),
      fitness,
      scale,
      lit,
      elite: eliteAsOf(columns, row),
      format: formatHyperparameter,
    };
  }, [settings, dimensions, member, pointed, columns, row, cells, fitness, scale]);
  const within = cells.filter((cell) => passes(cell, scene.axes));
  const brushed = settings.some(({ brush }) => brush !== null);
  return (
    <Panel
      title="Parallel coordinates"
      head={
        <>
          {scope === "generation" && <GenerationNote />}
          <Segments label="Agents" options={SCOPES} value={scope} onChange={setScope} />
          <Segments label="Parallel coordinates view" options={VIEWS} value={view} onChange={setView} />
        </>
      }
    >
      <p className="panel__text panel__text--small">
        {formatThings(cells.length, "agent")}
        {brushed && `, ${formatCount(within.length)} matching the filters`}
        {cells.length > MOST_LINES && `, ${formatCount(MOST_LINES)} drawn`}. Coloured by {word} from{" "}
        {formatScore(scale.low)} to {formatScore(scale.high)}. Drag along an axis to filter; click the axis to
        clear its filter.
      </p>
      {scene.axes.length === 0 && <p className="empty">No axes shown. Select some under Axes.</p>}
      {scene.axes.length > 0 && view === "chart" && (
        <ParallelCanvas
          scene={scene}
          summary={`Parallel coordinates of ${cells.length} agents: ${scene.axes
            .map(({ dimension }) => dimension.name)
            .join(", ")}. The Table view lists the values.`}
          onBrush={(name, brush) => setChosen(withSetting(settings, name, { brush }))}
        />
      )}
      {view === "table" && <ParallelTable columns={columns} cells={within} axes={scene.axes} />}
      <AxisControls dimensions={dimensions} settings={settings} onChange={setChosen} />
    </Panel>
  );
}
