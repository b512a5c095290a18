import { useEffect } from "react";
import { useStore } from "zustand";
import { type HistoryState, HistoryStore } from "../series/HistoryStore.ts";
import type { RunSession } from "./RunSession.ts";
import type { Workbench } from "./Workbench.ts";
import { useWorkbench } from "./WorkbenchContext.ts";

/** A session's history, shared by all that show it. */
const stores = new WeakMap<RunSession, HistoryStore>();

/** The history of a session; the same one each time. */
export function historyOfSession(session: RunSession, { coordinator }: Workbench): HistoryStore {
  const known = stores.get(session);
  if (known !== undefined) return known;
  const store = new HistoryStore(
    async () => {
      const { summary } = session.view.getState();
      if (summary === null) throw new Error("The run is not open yet.");
      return coordinator.history(summary.id, 1);
    },
    {
      report: (generation) => session.reports.get(generation),
      last: () => session.view.getState().summary?.generation ?? 0,
    },
  );
  stores.set(session, store);
  return store;
}

/** The history of an open run, kept up to date while a component shows it: `state.version` tells when it has grown. */
export function useHistory(session: RunSession): {
  readonly history: HistoryStore;
  readonly state: HistoryState;
} {
  const history = historyOfSession(session, useWorkbench());
  useEffect(() => {
    // The session hands on a view at most four times a second.
    const follow = (): void => void history.catchUp();
    follow();
    return session.view.subscribe(({ version }, before) => {
      if (version !== before.version) follow();
    });
  }, [session, history]);
  return { history, state: useStore(history.state) };
}
