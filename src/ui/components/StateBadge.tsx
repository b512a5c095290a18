import type { RunStatus } from "../../workers/protocol.ts";
import "./StateBadge.css";

/** A run's state, in a word and a colour. */
export function StateBadge({ state }: { readonly state: RunStatus }) {
  return (
    <span className={`state-badge state-badge--${state}`}>
      <span className="state-badge__dot" aria-hidden="true" />
      {state}
    </span>
  );
}
