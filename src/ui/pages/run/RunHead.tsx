import type { RunSummary } from "../../../workers/protocol.ts";
import { StateBadge } from "../../components/StateBadge.tsx";
import type { RunView } from "../../state/RunView.ts";
import { DeviceBadge } from "./DeviceBadge.tsx";
import { RunControls } from "./RunControls.tsx";

/** Name, state, device and what can be done with the run. */
export function RunHead({ view, summary }: { readonly view: RunView; readonly summary: RunSummary }) {
  return (
    <div className="page__head">
      <div className="page__head-text">
        <div className="run__title">
          <h1>{summary.name}</h1>
          <StateBadge state={summary.state} />
        </div>
        <div className="run__what">
          <p>
            {summary.algorithm} on {summary.environment}
          </p>
          {view.device !== null && <DeviceBadge device={view.device} />}
        </div>
      </div>
      <RunControls summary={summary} manifest={view.manifest} options={view.options} />
    </div>
  );
}
