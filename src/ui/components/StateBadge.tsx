import type { RunStatus, RunSummary } from "../../workers/protocol.ts";
import "./StateBadge.css";

/**
 * The displayed state of a run: "fetching" while its data set downloads, because it neither trains nor has
 * been stopped.
 */
export const shownState = ({ state, fetch }: Pick<RunSummary, "state" | "fetch">): RunStatus | "fetching" =>
  fetch === null ? state : "fetching";

/** A run's state, as a word and a colour. */
export function StateBadge({ state }: { readonly state: RunStatus | "fetching" }) {
  return (
    <span className={`state-badge state-badge--${state}`}>
      <span className="state-badge__dot" aria-hidden="true" />
      {state}
    </span>
  );
}
