import { useMemo } from "react";
import { useStore } from "zustand";
import { hyperparameterRanges } from "../../../series/hyperparameterRanges.ts";
import type { RunView } from "../../../state/RunView.ts";
import { EvolutionPanel } from "../evolution/EvolutionPanel.tsx";
import { PairPanel } from "../evolution/PairPanel.tsx";
import { WithHistory } from "../history/WithHistory.tsx";
import { HOLDS } from "../runTexts.ts";
import { TurnsPanel } from "../turns/TurnsPanel.tsx";
import { ImportancePanel } from "./ImportancePanel.tsx";

/** What a run's history teaches: what paid, what evolution brought, which hyperparameters matter, and where time went. */
export function InsightTab({ session }: { readonly session: RunView }) {
  const { manifest, summary } = useStore(session.view);
  const ranges = useMemo(() => hyperparameterRanges(manifest), [manifest]);
  return (
    <>
      {summary && <PairPanel session={session} summary={summary} />}
      <WithHistory session={session} title="Insight" holds={HOLDS.insight}>
        {(shown) => (
          <>
            <EvolutionPanel session={session} />
            <ImportancePanel columns={shown.columns} row={shown.row} ranges={ranges} />
            <TurnsPanel session={session} shown={shown} />
          </>
        )}
      </WithHistory>
    </>
  );
}
