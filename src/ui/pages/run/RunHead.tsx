import { useId } from "react";
import type { DeviceInfo, RunSummary } from "../../../workers/protocol.ts";
import { StateBadge } from "../../components/StateBadge.tsx";
import type { RunView } from "../../state/RunView.ts";
import { RunControls } from "./RunControls.tsx";

/** What the run trains on; why, for those who ask. */
function DeviceBadge({ device }: { readonly device: DeviceInfo }) {
  const reason = useId();
  return (
    <span className="device-badge" title={device.reason} aria-describedby={reason}>
      {device.label}
      <span id={reason} className="visually-hidden">
        {device.reason}
      </span>
    </span>
  );
}

/** Name, state, device and what can be done with the run. */
export function RunHead({ view, summary }: { readonly view: RunView; readonly summary: RunSummary }) {
  return (
    <div className="page__head">
      <div className="page__head-text">
        <div className="run__title">
          <h1>{summary.name}</h1>
          <StateBadge state={summary.state} />
        </div>
        <p className="run__what">
          {summary.algorithm} on {summary.environment}
          {view.device !== null && <DeviceBadge device={view.device} />}
        </p>
      </div>
      <RunControls summary={summary} manifest={view.manifest} />
    </div>
  );
}
