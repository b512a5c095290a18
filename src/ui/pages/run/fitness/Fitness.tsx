import { useMemo } from "react";
import { useStore } from "zustand";
import { manifestNumber } from "../../../lib/manifestValues.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import type { RunSession } from "../../../state/RunSession.ts";
import { useDescendants } from "../charts/useDescendants.ts";
import type { ShownHistory } from "../history/WithHistory.tsx";
import { useRunRoute } from "../runRouteContext.ts";
import { FitnessLegend } from "./FitnessLegend.tsx";
import { FitnessTable } from "./FitnessTable.tsx";
import { fitnessModel } from "./fitnessModel.ts";
import { fitnessSummary } from "./fitnessSummary.ts";
import { LongFitness } from "./LongFitness.tsx";
import { FitnessChart } from "./lazyChart.tsx";
import type { Smoothing } from "./smoothing.ts";

/** Maximum number of points that the SVG chart library draws fast enough; longer series use a canvas. */
const MAX_POINTS = 500;

interface Props {
  readonly session: RunSession;
  readonly shown: ShownHistory;
  readonly smoothing: Smoothing;
}

/** Fitness as a chart with a text summary, or as a table. */
export function Fitness({ session, shown, smoothing }: Props) {
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
