import { useMemo } from "react";
import { useStore } from "zustand";
import { manifestNumber } from "../../../lib/manifestValues.ts";
import type { RunView } from "../../../state/RunView.ts";
import type { LiveTraining } from "./trainingDots.ts";

/** The episodes of the generation that a run trains; null if there are none. */
export function useLiveTraining(session: RunView): LiveTraining | null {
  const episodes = useStore(session.view, (view) => view.episodes);
  const manifest = useStore(session.view, (view) => view.manifest);
  const speed = useStore(session.view, ({ progress, latest }) => (progress ?? latest)?.steps_per_second ?? 1);
  return useMemo(
    () =>
      episodes.length === 0
        ? null
        : {
            episodes,
            population: manifestNumber(manifest, "training.pop_size") ?? 1,
            evo_steps: manifestNumber(manifest, "training.evo_steps") ?? 1,
            steps_per_second: speed,
          },
    // oxlint-disable-next-line react/exhaustive-deps -- episodes keep the speed that the run had when they ended
    [episodes, manifest],
  );
}
