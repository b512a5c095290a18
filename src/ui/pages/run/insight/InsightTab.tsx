import { useMemo } from "react";
import { useStore } from "zustand";
import { hyperparameterRanges } from "../../../series/hyperparameterRanges.ts";
import type { RunView } from "../../../state/RunView.ts";
import { WithHistory } from "../history/WithHistory.tsx";
import { HOLDS } from "../runTexts.ts";
import { ImportancePanel } from "./ImportancePanel.tsx";

/** What a run's history teaches about its hyperparameters. */
export function InsightTab({ session }: { readonly session: RunView }) {
  const manifest = useStore(session.view, (view) => view.manifest);
  const ranges = useMemo(() => hyperparameterRanges(manifest), [manifest]);
  return (
    <WithHistory session={session} title="Importance" holds={HOLDS.insight}>
      {({ columns, row }) => <ImportancePanel columns={columns} row={row} ranges={ranges} />}
    </WithHistory>
  );
}
