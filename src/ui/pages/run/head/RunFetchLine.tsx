import { useId } from "react";
import type { RunFetch } from "../../../../workers/protocol.ts";
import { FetchProgress } from "../../../components/runState.tsx";
import { useWorkbench } from "../../../state/Workbench.ts";

/** The progress of the data set download that a run waits for. */
export function RunFetchLine({ id, fetch }: { readonly id: string; readonly fetch: RunFetch }) {
  const workbench = useWorkbench();
  const label = useId();
  const { dataset, received, total } = fetch;
  return (
    <div className="run-head__fetch">
      <span id={label}>
        Downloading <strong>{dataset}</strong>
      </span>
      <FetchProgress labelledBy={label} received={received} total={total} />
      <button
        type="button"
        className="button button--small"
        aria-describedby={label}
        title="Keeps the downloaded part; Resume continues from there"
        onClick={() => void workbench.attempt(() => workbench.coordinator.stop(id))}
      >
        Cancel
      </button>
    </div>
  );
}
