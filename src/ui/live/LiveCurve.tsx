import { useMemo } from "react";
import { useStore } from "zustand";
import { Plot } from "../components/plot/Plot.tsx";
import type { PlotModel } from "../components/plot/PlotModel.ts";
import { headOf } from "../games/fitnessWord.tsx";
import { useDescendants } from "../pages/run/charts/descentModel.ts";
import { fitnessSummary } from "../pages/run/fitness/fitnessModel.ts";
import { fitnessLegend } from "../pages/run/fitness/fitnessPlot.ts";
import { CURVE_LEGEND, curveModel, trainingCurves } from "../pages/run/fitness/trainingCurves.ts";
import { TRAINING } from "../pages/run/fitness/trainingDots.ts";
import { useFitnessPlot } from "../pages/run/fitness/useFitnessPlot.ts";
import { type ShownHistory, useHistory } from "../pages/run/history/WithHistory.tsx";
import { shownRow } from "../series/historyCells.ts";
import type { RunView } from "../state/RunView.ts";

interface Props {
  readonly session: RunView;
  /** Whether its members are language models, which learn from iterations instead of episodes. */
  readonly isText: boolean;
}

/** Entries of the legend, of which there is room for few. The target has no group. */
const SHOWN = ["elite", TRAINING];

/** The curve of a run: a dot for each episode of training, lines for evaluations. */
export function LiveCurve({ session, isText }: Props) {
  const { history, state } = useHistory(session);
  const hasEpisodes = useStore(session.view, ({ episodes }) => episodes.length > 0);
  const champion = useStore(session.view, ({ summary }) => summary?.champion?.index ?? null);
  const { columns } = history;
  if (state.phase === "failed") return <p role="alert">{state.problem}</p>;
  if (columns === null || (columns.generations === 0 && !hasEpisodes))
    return <p className="quiet live__curve live__waiting shrinks">The first episodes are on their way…</p>;
  const shown = { columns, history, row: shownRow(columns, null), champion };
  return (
    <div className="live__curve shrinks" data-dots={hasEpisodes || columns.generations > 0}>
      {isText ? <TextCurve session={session} shown={shown} /> : <Fitness session={session} shown={shown} />}
    </div>
  );
}

interface ShownProps {
  readonly session: RunView;
  readonly shown: ShownHistory;
}

function Fitness({ session, shown }: ShownProps) {
  const all = useDescendants(shown, null);
  const { model, plot, dots } = useFitnessPlot(session, all, "steps");
  return (
    <Plot
      title={headOf(model.word)}
      summary={fitnessSummary(model)}
      model={plot}
      legend={fitnessLegend(model, dots).filter(({ group }) => group === undefined || SHOWN.includes(group))}
    />
  );
}

/** The first of the curves from which language models learn. */
function TextCurve({ session, shown }: ShownProps) {
  const manifest = useStore(session.view, (view) => view.manifest);
  const all = useDescendants(shown, null);
  const [curve] = useMemo(() => trainingCurves(all.columns, manifest), [all, manifest]);
  const model = useMemo((): PlotModel | null => (curve ? curveModel(all, curve) : null), [all, curve]);
  if (curve === undefined || model === null) return null;
  return (
    <Plot
      title={curve.title}
      summary={`${curve.title}: ${curve.about}.`}
      model={model}
      legend={CURVE_LEGEND}
    />
  );
}
