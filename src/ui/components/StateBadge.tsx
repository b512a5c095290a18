import type { RunStatus, RunSummary } from "../../workers/protocol.ts";
import "./StateBadge.css";

/**
 * The displayed state of a run: "fetching" while its data set downloads and "queued" while it waits for other
 * runs, because it has not been stopped.
 */
export const shownState = ({
  state,
  fetch,
  waiting,
}: Pick<RunSummary, "state" | "fetch" | "waiting">): RunStatus | "fetching" =>
  fetch !== null ? "fetching" : waiting ? "queued" : state;

/** A run's state, as a word and a colour. */
export function StateBadge({ state }: { readonly state: RunStatus | "fetching" }) {
  return (
    <span className={`state-badge state-badge--${state}`}>
      <span className="state-badge__dot" aria-hidden="true" />
      {state}
    </span>
  );
}
