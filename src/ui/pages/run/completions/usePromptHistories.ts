import { useMemo } from "react";
import { useStore } from "zustand";
import { useCalmly } from "../../../lib/updateClock.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useHistory } from "../history/WithHistory.tsx";
import { useRunRoute } from "../shownGeneration.tsx";
import { type PromptHistory, promptHistories } from "./promptHistory.ts";

/** Milliseconds between updates of the texts that the user reads. */
const INTERVAL = 1000;

/** The prompts of a run up to the shown generation. */
export function usePromptHistories(session: RunView): readonly PromptHistory[] {
  const completions = useStore(session.view, (view) => view.completions);
  const { generation: wanted } = useRunRoute();
  const { history } = useHistory(session);
  const { columns } = history;
  const live = useCalmly(completions, INTERVAL);
  return useMemo(
    () =>
      promptHistories(
        live.filter(({ generation }) => wanted === null || generation <= wanted),
        (generation, slot) => {
          const row = columns?.generation.indexOf(generation) ?? -1;
          return columns === null || row < 0
            ? null
            : (columns.index[row * columns.population + slot] ?? null);
        },
      ),
    [live, wanted, columns],
  );
}
