import { useEffect, useState } from "react";
import type { HistoryColumns } from "../../../workers/protocol.ts";
import { createUpdateClock } from "../../lib/updateClock.ts";
import { RunView } from "../../state/RunView.ts";
import type { RunViewState } from "../../state/RunViewState.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** The current state of one compared run. */
export interface ComparedRun {
  readonly id: string;
  /** Index among the compared runs, which determines its colour. */
  readonly place: number;
  readonly view: RunViewState;
  /** Null until the history is read. */
  readonly columns: HistoryColumns | null;
  /** Why the history could not be read; null if there is no problem. */
  readonly problem: string | null;
}

/** Opens runs while a component shows them, and follows each live. */
export function useComparedRuns(ids: readonly string[]): readonly ComparedRun[] {
  const workbench = useWorkbench();
  const [runs, setRuns] = useState<readonly ComparedRun[]>([]);
  const wanted = ids.join(",");
  useEffect(() => {
    const opened = ids.map((id) => {
      const session = new RunView();
      return { id, session, history: session.history };
    });
    const show = (): void =>
      setRuns(
        opened.map(({ id, session, history }, place) => ({
          id,
          place,
          view: session.view.getState(),
          columns: history.columns,
          problem: history.state.getState().problem,
        })),
      );
    const clock = createUpdateClock(show);
    const ends = opened.flatMap(({ id, session, history }) => [
      session.view.subscribe(({ phase, version }, before) => {
        if (phase === "ready" && (version !== before.version || before.phase !== "ready"))
          void history.catchUp();
        clock.request();
      }),
      history.state.subscribe(() => clock.request()),
      workbench.openRun(id, session),
    ]);
    show();
    return () => {
      for (const end of ends) end();
      clock.stop();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `wanted` stands for the ids
  }, [workbench, wanted]);
  return runs;
}
