import { useEffect } from "react";
import { useStore } from "zustand";
import type { HistoryState, HistoryStore } from "../series/HistoryStore.ts";
import type { RunView } from "./RunView.ts";

/**
 * The history of an open run, kept up to date while a component shows it; `state.version` changes when it has
 * grown.
 */
export function useHistory(session: RunView): {
  readonly history: HistoryStore;
  readonly state: HistoryState;
} {
  const { history } = session;
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
