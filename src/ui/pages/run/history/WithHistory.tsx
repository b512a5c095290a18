import { type ReactNode, useEffect } from "react";
import { useStore } from "zustand";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { LinkButton } from "../../../components/Button.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { EmptyView, FailedView, SkeletonView } from "../../../components/ViewState.tsx";
import type { HistoryState, HistoryStore } from "../../../series/HistoryStore.ts";
import { shownRow } from "../../../series/historyCells.ts";
import type { RunView } from "../../../state/RunView.ts";
import { noGenerationText } from "../runTexts.ts";
import { useRunRoute } from "../shownGeneration.tsx";

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

/** A run's history with at least one generation. */
export interface ShownHistory {
  readonly columns: HistoryColumns;
  readonly history: HistoryStore;
  /** Row of the shown generation. */
  readonly row: number;
  /** Identity of the champion of the final evaluation; null before one. */
  readonly champion: number | null;
}

interface Props {
  readonly session: RunView;
  /** The view's heading. */
  readonly title: string;
  /** What belongs in the view, in a sentence. */
  readonly holds: string;
  readonly children: (shown: ShownHistory) => ReactNode;
}

/**
 * Wraps a view of a run's history: renders the view once a generation has ended, and a loading, error or
 * empty state until then.
 */
export function WithHistory({ session, title, holds, children }: Props) {
  const { history, state } = useHistory(session);
  const route = useRunRoute();
  const { columns } = history;
  const summary = useStore(session.view, (view) => view.summary);
  if (columns !== null && columns.generations > 0)
    return children({
      columns,
      history,
      row: shownRow(columns, route.generation),
      champion: summary?.champion?.index ?? null,
    });
  return (
    <Panel title={title}>
      {state.phase === "loading" && <SkeletonView label="Loading the run's history…" />}
      {state.phase === "failed" && (
        <FailedView title="The run's history could not be read" onRetry={() => void history.catchUp()}>
          {state.problem}
        </FailedView>
      )}
      {state.phase === "ready" && (
        <EmptyView
          title="No generation has ended yet"
          action={<LinkButton to={{ ...route, tab: "overview" }}>Go to the overview</LinkButton>}
          guide={["evolution.html", "About evolution"]}
        >
          <p>{holds}</p>
          {summary && <p>{noGenerationText(summary)}</p>}
        </EmptyView>
      )}
    </Panel>
  );
}
