import { useMemo, useState } from "react";
import { useStore } from "zustand";
import type { PlotModel } from "../../../components/plot/PlotModel.ts";
import { fitnessWord } from "../../../games/fitnessWord.tsx";
import { manifestNumber } from "../../../lib/manifestValues.ts";
import type { ChartAxis } from "../../../routes/route.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useWorkbenchState } from "../../../state/Workbench.ts";
import { type Descendants, RowSpread } from "../charts/descentModel.ts";
import { type Beginning, beginningOf } from "./beginning.ts";
import { type FitnessModel, fitnessModel } from "./fitnessModel.ts";
import { fitnessPlot } from "./fitnessPlot.ts";
import { trainingDots } from "./trainingDots.ts";
import { useLiveTraining } from "./useLiveTraining.ts";

interface FitnessPlot {
  readonly model: FitnessModel;
  readonly plot: PlotModel;
  /** Training episodes; null for none. */
  readonly dots: ReturnType<typeof trainingDots>;
}

/** The agent that a run began with, if it is known. It stays the same while the list of runs changes. */
function useBeginning(manifest: unknown, environment: string): Beginning | null {
  const found = useWorkbenchState(({ list }) => {
    const beginning = beginningOf(manifest, environment, list.runs ?? []);
    return beginning && JSON.stringify(beginning);
  });
  return useMemo(() => (found === null ? null : (JSON.parse(found) as Beginning)), [found]);
}

/** The chart of a run's fitness or ratings. */
export function useFitnessPlot(session: RunView, all: Descendants, axis: ChartAxis): FitnessPlot {
  const manifest = useStore(session.view, (view) => view.manifest);
  const environment = useStore(session.view, (view) => view.summary?.environment ?? "");
  const beginning = useBeginning(manifest, environment);
  const [spread] = useState(() => new RowSpread());
  const live = useLiveTraining(session);
  const word = useStore(session.view, fitnessWord);
  // Returns of training are not on the scale of ratings.
  const dots = useMemo(
    () => (word === "rating" ? null : trainingDots(all, axis, live)),
    [all, axis, live, word],
  );
  const model = useMemo(
    () =>
      fitnessModel(
        all,
        manifestNumber(manifest, "training.target_score"),
        Array.from(dots?.y ?? []),
        word,
        beginning,
      ),
    [all, manifest, dots, word, beginning],
  );
  const plot = useMemo(() => fitnessPlot(model, axis, spread, dots), [model, axis, spread, dots]);
  return { model, plot, dots };
}
