import { useState } from "react";
import type { RunSummary } from "../../../../workers/protocol.ts";
import { PageHeading } from "../../../components/PageHeading.tsx";
import { StateBadge, shownState } from "../../../components/runState.tsx";
import type { RunView } from "../../../state/RunView.ts";
import { DeviceBadge } from "./DeviceBadge.tsx";
import { MoreMenu } from "./MoreMenu.tsx";
import { RunControls } from "./RunControls.tsx";
import { RunFetchLine } from "./RunFetchLine.tsx";
import { RunName } from "./RunName.tsx";
import "./RunHead.css";

/** The run's name, state, device and actions, in one row that stays visible. */
export function RunHead({ view, summary }: { readonly view: RunView; readonly summary: RunSummary }) {
  const [said, say] = useState("");
  const { device: last } = summary;
  // For a run that is not training, only the name of its last device is known.
  const device =
    view.device ??
    (last === null ? null : { label: last, reason: "The device that the run last trained on." });
  return (
    <div className="run-head">
      {summary.can.edit ? (
        <RunName id={summary.id} name={summary.name} />
      ) : (
        <PageHeading title={summary.name} />
      )}
      {summary.fetch === null ? (
        <StateBadge state={shownState(summary)} />
      ) : (
        <RunFetchLine id={summary.id} fetch={summary.fetch} />
      )}
      {device !== null && <DeviceBadge device={device} />}
      <span className="run-head__said" aria-live="polite">
        {said}
      </span>
      <div className="run-head__actions">
        <RunControls summary={summary} manifest={view.manifest} options={view.options} />
        <MoreMenu summary={summary} manifest={view.manifest} say={say} />
      </div>
    </div>
  );
}
