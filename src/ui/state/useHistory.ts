import { useEffect } from "react";
import { useStore } from "zustand";
import { type HistoryState, HistoryStore } from "../series/HistoryStore.ts";
import type { RunSession } from "./RunSession.ts";
import type { Workbench } from "./Workbench.ts";
import { useWorkbench } from "./WorkbenchContext.ts";

/** Histories by session, shared by all views. */
const stores = new WeakMap<RunSession, HistoryStore>();

/** The history of a session; always the same object. */
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

/**
 * The history of an open run, kept up to date while a component shows it; `state.version` changes when it has
 * grown.
 */
export function useHistory(session: RunSession): {
  readonly history: HistoryStore;
  readonly state: HistoryState;
} {
  const history = historyOfSession(session, useWorkbench());
  useEffect(() => {
    // The session publishes a view at most four times per second.
    const follow = (): void => void history.catchUp();
    follow();
    return session.view.subscribe(({ version }, before) => {
      if (version !== before.version) follow();
    });
  }, [session, history]);
  return { history, state: useStore(history.state) };
}
