import { type ReactNode, useState } from "react";
import { useStore } from "zustand";
import { Segments } from "../../../components/buttons.tsx";
import { useWhileOnScreen } from "../../../lib/useElement.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import type { ChartAxis } from "../../../routes/route.ts";
import { shownRow } from "../../../series/historyCells.ts";
import type { RunSession } from "../../../state/RunSession.ts";
import { useHistory } from "../../../state/useHistory.ts";
import { GenerationNote } from "../GenerationNote.tsx";
import { useRunRoute } from "../runRouteContext.ts";
import { noFitnessText } from "../waitingText.ts";
import { Fitness } from "./Fitness.tsx";
import type { Smoothing } from "./smoothing.ts";
import "./FitnessPanel.css";

const AXES: Readonly<Record<ChartAxis, string>> = { steps: "Steps", generation: "Generation", time: "Time" };
const VIEWS = { chart: "Chart", table: "Table" } as const;
const SMOOTHINGS: Readonly<Record<Smoothing, string>> = { none: "Raw", some: "Smooth", much: "Smoother" };

/** The population's fitness as a chart or as a table. */
export function FitnessPanel({ session }: { readonly session: RunSession }) {
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
          <button type="button" className="button" onClick={() => void history.catchUp()}>
            Try again
          </button>
        </div>
      );
    if (columns === null) return <p className="loading fitness__empty">Loading the run's history…</p>;
    if (!columns.fitness.some(Number.isFinite))
      return <p className="empty fitness__empty">{summary && noFitnessText(summary, manifest)}</p>;
    const row = shownRow(columns, route.generation);
    return <Fitness session={session} shown={{ columns, history, row }} smoothing={smoothing} />;
  };
  return (
    <section className="panel fitness" aria-label="Fitness" ref={ref}>
      <div className="panel__head">
        <h2>Fitness</h2>
        <GenerationNote />
        <Segments label="Smoothing" options={SMOOTHINGS} value={smoothing} onChange={setSmoothing} />
        <Segments
          label="Horizontal axis"
          options={AXES}
          value={route.axis}
          onChange={(axis) => replaceRoute({ ...route, axis })}
        />
        <Segments
          label="View"
          options={VIEWS}
          value={route.view}
          onChange={(view) => replaceRoute({ ...route, view })}
        />
      </div>
      {content()}
    </section>
  );
}
