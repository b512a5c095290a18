import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { Panel } from "../../../components/Panel.tsx";
import { LazyPlot } from "../../../components/plot/Plot.tsx";
import { PlotLegend } from "../../../components/plot/PlotLegend.tsx";
import { PlotSmoothing } from "../../../components/plot/PlotSmoothing.tsx";
import { useFitnessWord } from "../../../games/fitnessWord.tsx";
import { formatHyperparameter } from "../../../lib/format.ts";
import { useCalmly } from "../../../lib/updateClock.ts";
import { lineOfDescent } from "../../../series/historyCells.ts";
import {
  hyperparameterRanges,
  type TunedHyperparameter,
  tunedHyperparameters,
} from "../../../series/hyperparameterRanges.ts";
import type { RunView } from "../../../state/RunView.ts";
import { type Descendants, descentModel, RowSpread, useDescendants } from "../charts/descentModel.ts";
import { GenerationTable } from "../charts/GenerationTable.tsx";
import { memberLegend } from "../charts/memberLegend.ts";
import { lineageGraph } from "../descent/LineageGraph.ts";
import { type ShownHistory, WithHistory } from "../history/WithHistory.tsx";
import { runGains } from "../insight/runGains.ts";
import { HOLDS } from "../runTexts.ts";
import { GenerationNote, useRunRoute, ViewSwitch } from "../shownGeneration.tsx";
import { type Steering, steeredMarks, useSteering } from "../steering/steering.ts";
import { ParallelPanel } from "./ParallelPanel.tsx";
import { hyperparameterVerdict } from "./verdict.ts";
import "./HyperparametersTab.css";

const TITLE = "Hyperparameters";
const NONE = new Float64Array();
const VIEWS = { chart: "Charts", table: "Table" } as const;

/**
 * Charts of the hyperparameters over the generations, and parallel coordinates that relate them to fitness.
 */
export function HyperparametersTab({ session }: { readonly session: RunView }) {
  return (
    <WithHistory session={session} title={TITLE} holds={HOLDS.hyperparameters}>
      {(shown) => <Hyperparameters session={session} shown={shown} />}
    </WithHistory>
  );
}

function Hyperparameters({ session, shown }: { readonly session: RunView; readonly shown: ShownHistory }) {
  const { columns, row } = shown;
  const route = useRunRoute();
  const manifest = useStore(session.view, (view) => view.manifest);
  const ranges = useMemo(() => hyperparameterRanges(manifest), [manifest]);
  const tuned = useMemo(() => tunedHyperparameters(columns, ranges), [columns, ranges]);
  const all = useDescendants(shown, route.member);
  const steering = useSteering(session);
  return (
    <>
      <Panel
        title={TITLE}
        head={
          <>
            <GenerationNote />
            <PlotSmoothing />
            <ViewSwitch options={VIEWS} />
          </>
        }
      >
        {steering.problem !== null && (
          <p className="panel__text panel__text--small" role="alert">
            {steering.problem}
          </p>
        )}
        {tuned.length === 0 ? (
          <p className="empty">
            No hyperparameter of this run mutates or differs between members. The mutation section of the
            manifest selects the ones that mutate.
          </p>
        ) : route.view === "table" ? (
          <GenerationTable
            label="Hyperparameters of the elite and its ancestors"
            generations={Array.from(columns.generation)}
            columns={tuned.map(({ name }) => ({
              label: name,
              values: lineOfDescent(columns.hyperparameters[name] ?? [], all.fate.elite),
            }))}
          />
        ) : (
          <>
            <PlotLegend
              small
              entries={memberLegend({
                columns,
                bounds: true,
                steering: steering.actions.some(({ action }) => action.kind === "set"),
                selected: all.selected !== null,
              })}
            />
            <div className="plots cropped">
              {tuned.map((one) => (
                <HyperparameterPlot key={one.name} tuned={one} all={all} steering={steering} />
              ))}
            </div>
          </>
        )}
      </Panel>
      {tuned.length > 0 && <ParallelPanel columns={columns} row={row} tuned={tuned} />}
      {tuned.length > 0 && <Verdict columns={columns} row={row} tuned={tuned} />}
    </>
  );
}

/** Pause between two verdicts while a run trains, in milliseconds: each reads the whole history. */
const PAUSE_MS = 2000;

type VerdictProps = Pick<ShownHistory, "columns" | "row"> & {
  readonly tuned: readonly TunedHyperparameter[];
};

/** What the charts above amount to. */
function Verdict({ columns, row, tuned }: VerdictProps) {
  const shown = useMemo(() => ({ columns, row, tuned }), [columns, row, tuned]);
  const calm = useCalmly(shown, PAUSE_MS);
  const word = useFitnessWord();
  const text = useMemo(() => {
    const { moves } = runGains(calm.columns, lineageGraph(calm.columns), calm.row);
    return hyperparameterVerdict(
      calm.tuned.map(({ name }) => name),
      moves,
      word,
    );
  }, [calm, word]);
  return (
    <Panel title="What moves of hyperparameters gained" head={<GenerationNote />}>
      <p className="panel__text">{text}</p>
    </Panel>
  );
}

function HyperparameterPlot({
  tuned: { name, range, log },
  all,
  steering,
}: {
  readonly tuned: TunedHyperparameter;
  readonly all: Descendants;
  readonly steering: Steering;
}) {
  const [spread] = useState(() => new RowSpread());
  const values = all.columns.hyperparameters[name] ?? NONE;
  const model = useMemo(
    () => () =>
      descentModel(all, values, spread, {
        log,
        valueLabel: name,
        bounds: range === null ? [] : [range.min, range.max],
        marks: steeredMarks(steering, name, formatHyperparameter),
        format: formatHyperparameter,
      }),
    [all, values, spread, log, range, steering, name],
  );
  const elite = lineOfDescent(values, all.fate.elite).findLast((value) => value !== null);
  return (
    <LazyPlot
      title={name}
      summary={`${name} of all members over the generations${log ? ", on a logarithmic axis" : ""}. The elite has ${
        elite === undefined || elite === null ? "none" : formatHyperparameter(elite)
      }. The Table view lists the values.`}
      model={model}
    />
  );
}
