import { useMemo, useState } from "react";
import { useStore } from "zustand";
import type { PlotModel } from "../../../components/plot/PlotModel.ts";
import { fitnessWord } from "../../../games/fitnessWord.tsx";
import { manifestNumber } from "../../../lib/manifestValues.ts";
import type { ChartAxis } from "../../../routes/route.ts";
import type { RunView } from "../../../state/RunView.ts";
import { type Descendants, RowSpread } from "../charts/descentModel.ts";
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

/** The chart of a run's fitness or ratings. */
export function useFitnessPlot(session: RunView, all: Descendants, axis: ChartAxis): FitnessPlot {
  const manifest = useStore(session.view, (view) => view.manifest);
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
      fitnessModel(all, manifestNumber(manifest, "training.target_score"), Array.from(dots?.y ?? []), word),
    [all, manifest, dots, word],
  );
  const plot = useMemo(() => fitnessPlot(model, axis, spread, dots), [model, axis, spread, dots]);
  return { model, plot, dots };
}
