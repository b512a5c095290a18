import type { RunStatus, RunSummary } from "../../workers/protocol.ts";
import "./StateBadge.css";

/** What a run's state is called: one whose data set is on its way does not train, and has not been stopped either. */
export const shownState = ({ state, fetch }: Pick<RunSummary, "state" | "fetch">): RunStatus | "fetching" =>
  fetch === null ? state : "fetching";

/** A run's state, in a word and a colour. */
export function StateBadge({ state }: { readonly state: RunStatus | "fetching" }) {
  return (
    <span className={`state-badge state-badge--${state}`}>
      <span className="state-badge__dot" aria-hidden="true" />
      {state}
    </span>
  );
}
