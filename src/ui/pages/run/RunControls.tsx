import { useState } from "react";
import { trainsOnText } from "../../../specs/textEnvironments.ts";
import type { RunSummary } from "../../../workers/protocol.ts";
import { saveFile } from "../../lib/saveFile.ts";
import { navigate } from "../../routes/navigation.ts";
import { editorRoute, formatRoute, runRoute } from "../../routes/route.ts";
import type { RunView } from "../../state/RunView.ts";
import { useWorkbench } from "../../state/WorkbenchContext.ts";
import { ExportManifestButton } from "../editor/ExportManifestButton.tsx";
import { ImportManifestButton } from "../editor/ImportManifestButton.tsx";
import { ACTION_HINTS, type RunAction, runActions } from "./runActions.ts";

interface Props {
  readonly summary: RunSummary;
  readonly manifest: unknown;
  /** What the run was started with beside its manifest. */
  readonly options: RunView["options"];
}

/** The run's buttons. Positions stay while labels change, so that the keyboard's focus is not lost. */
export function RunControls({ summary, manifest, options }: Props) {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const [busy, setBusy] = useState(false);
  const { id, name } = summary;

  const perform: Readonly<Record<RunAction, () => Promise<void>>> = {
    Start: async () => navigate(runRoute(await coordinator.start(manifest, { ...options, name }))),
    Pause: () => coordinator.pause(id),
    Resume: () => coordinator.resume(id),
    Stop: () => coordinator.stop(id),
  };
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    await workbench.attempt(action);
    setBusy(false);
  };
  const isNew = summary.generation === 0;
  // A language model's files are of no use to a runtime of networks.
  const isNetwork = !trainsOnText(manifest);
  const downloads = [
    [
      "Download elite",
      "The best agent with all it needs to go on training",
      () => coordinator.downloadElite(id),
    ],
    ...(isNetwork
      ? ([
          [
            "Download ONNX",
            "The best agent's policy, for other runtimes",
            () => coordinator.downloadPolicy(id),
          ],
        ] as const)
      : []),
    ["Download CSV", "The metrics of all generations, a row for each", () => coordinator.downloadMetrics(id)],
    ["Download events", "The same as an event file of TensorBoard", () => coordinator.downloadEvents(id)],
  ] as const;

  return (
    <div className="page__actions">
      {runActions(summary.state).map((action, position) => (
        <button
          // The position is the identity: Pause becomes Resume under the same focus.
          key={position}
          type="button"
          className={position === 0 ? "button button--primary" : "button"}
          title={ACTION_HINTS[action]}
          aria-disabled={busy}
          onClick={() => void attempt(perform[action])}
        >
          {action}
        </button>
      ))}
      <span className="run__divider" />
      {downloads.map(([label, hint, download]) => (
        <button
          key={label}
          type="button"
          className="button"
          aria-disabled={isNew}
          title={isNew ? "There is something to download after the first generation" : hint}
          onClick={() => {
            if (!isNew) void attempt(async () => saveFile(await download()));
          }}
        >
          {label}
        </button>
      ))}
      <ExportManifestButton name={name} manifest={() => manifest} />
      <ImportManifestButton />
      <a className="button" href={formatRoute(editorRoute({ run: id }))}>
        Edit a copy
      </a>
    </div>
  );
}
