import { useMemo } from "react";
import { useStore } from "zustand";
import { Panel } from "../../../components/Panel.tsx";
import { LazyPlot } from "../../../components/plot/Plot.tsx";
import { PlotLegend } from "../../../components/plot/PlotLegend.tsx";
import { lineOfDescent, shownRow } from "../../../series/historyCells.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useDescendants } from "../charts/descentModel.ts";
import { GenerationTable } from "../charts/GenerationTable.tsx";
import { type ShownHistory, useHistory } from "../history/WithHistory.tsx";
import { GenerationNote, useRunRoute } from "../shownGeneration.tsx";
import { CURVE_LEGEND, curveModel, mediansOf, trainingCurves } from "./trainingCurves.ts";

/** What a run's language models learn from, from the first iteration on, beside their evaluations. */
export function TrainingPanel({ session }: { readonly session: RunView }) {
  const route = useRunRoute();
  const { history } = useHistory(session);
  const champion = useStore(session.view, ({ summary }) => summary?.champion?.index ?? null);
  const { columns } = history;
  // The panel of the fitness says why there is nothing yet.
  if (columns === null || columns.generations === 0) return null;
  const row = shownRow(columns, route.generation);
  return <Curves session={session} shown={{ columns, history, row, champion }} />;
}

interface Props {
  readonly session: RunView;
  readonly shown: ShownHistory;
}

/** The curves as charts, or as a table where the fitness is one. */
function Curves({ session, shown }: Props) {
  const route = useRunRoute();
  const manifest = useStore(session.view, (view) => view.manifest);
  const all = useDescendants(shown, route.member);
  const { columns, fate } = all;
  const curves = useMemo(() => trainingCurves(columns, manifest), [columns, manifest]);
  const plots = useMemo(
    () => curves.map((curve) => ({ ...curve, model: () => curveModel(all, curve) })),
    [curves, all],
  );
  if (plots.length === 0) return null;
  return (
    <Panel title="Training" head={<GenerationNote />}>
      {route.view === "table" ? (
        <GenerationTable
          label="Training by generation"
          generations={Array.from(columns.generation)}
          columns={curves.flatMap(({ title, training, evaluated }) => [
            { label: `${title}, median`, values: mediansOf(training, columns.population) },
            ...(evaluated === null
              ? []
              : [{ label: `${title}, elite evaluated`, values: lineOfDescent(evaluated, fate.elite) }]),
          ])}
        />
      ) : (
        <>
          <div className="plots plots--few cropped">
            {plots.map(({ title, about, model }) => (
              <LazyPlot
                key={title}
                title={title}
                summary={`${title}: ${about}. The Table view of the fitness lists the values.`}
                model={model}
              />
            ))}
          </div>
          <PlotLegend small entries={CURVE_LEGEND} />
        </>
      )}
    </Panel>
  );
}
