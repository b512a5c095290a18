import { useState } from "react";
import type { RunStatus, RunSummary } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { useShortcut } from "../../../lib/shortcuts.ts";
import { navigate, navigateLater } from "../../../routes/navigation.ts";
import { runRoute, runsRoute } from "../../../routes/route.ts";
import type { RunViewState } from "../../../state/RunViewState.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

/** The actions on a run, named after their buttons. */
type RunAction = "Run again" | "Pause" | "Resume" | "Stop and save" | "Leave the queue";

const ACTIONS: Readonly<Record<RunStatus, readonly RunAction[]>> = {
  queued: ["Stop and save"],
  running: ["Pause", "Stop and save"],
  paused: ["Resume", "Stop and save"],
  stopped: ["Resume", "Run again"],
  interrupted: ["Resume", "Run again"],
  failed: ["Resume", "Run again"],
  finished: ["Run again"],
};

/** The actions that apply to a run; the first is the primary one. */
export const runActions = ({
  can,
  state,
  waiting,
}: Pick<RunSummary, "can" | "state" | "waiting">): readonly RunAction[] =>
  waiting ? ["Leave the queue"] : ACTIONS[state].filter((action) => can.restart || action !== "Run again");

/** Tooltips of the actions. */
const ACTION_HINTS: Readonly<Record<RunAction, string>> = {
  "Run again": "Starts a new run with the same manifest, seed and device",
  Pause: "Pauses immediately and keeps the state in memory",
  Resume: "Continues from where it was paused, or from the last checkpoint",
  "Stop and save": "Stops the run and saves the last generation that has ended",
  "Leave the queue": "The run then waits for you to resume it, instead of for the runs before it",
};

interface Props {
  readonly summary: RunSummary;
  readonly manifest: unknown;
  /** The start options of the run, besides its manifest. */
  readonly options: RunViewState["options"];
}

const NOTHING_TO_SAVE = "The first generation has not ended, so nothing can be saved yet.";

/**
 * The run's buttons. Their positions stay the same while labels change, so that the keyboard focus is not
 * lost.
 */
export function RunControls({ summary, manifest, options }: Props) {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const [busy, setBusy] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const [losing, setLosing] = useState(false);
  const { id, name, can } = summary;
  const trains = summary.state === "running" || summary.state === "paused";
  /** Whether stopping loses all of the training so far. */
  const savesNothing = trains && summary.generation === 0;

  const perform: Readonly<Record<RunAction, () => Promise<void>>> = {
    "Run again": async () => navigate(runRoute(await coordinator.start(manifest, { ...options, name }))),
    Pause: () => coordinator.pause(id),
    Resume: () => coordinator.resume(id),
    "Stop and save": () => coordinator.stop(id),
    "Leave the queue": () => coordinator.stop(id),
  };
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    await workbench.attempt(action);
    setBusy(false);
  };
  const [first] = runActions(summary);
  const held = first === "Pause" || first === "Resume" ? first : null;
  useShortcut("Space", held && (() => void attempt(perform[held])));
  const discard = (): Promise<void> => {
    const leave = navigateLater();
    return attempt(async () => {
      await coordinator.deleteRun(id);
      await workbench.refresh();
      leave(runsRoute);
    });
  };

  return (
    <>
      {runActions(summary).map((action, position) => {
        const asks = action === "Stop and save" && savesNothing;
        return (
          <Button
            // Keyed by position: Pause becomes Resume and keeps the focus.
            key={position}
            primary={position === 0}
            title={asks ? NOTHING_TO_SAVE : ACTION_HINTS[action]}
            aria-disabled={busy}
            onClick={() => (asks ? setLosing(!losing) : void attempt(perform[action]))}
          >
            {asks && losing ? "Cancel" : action}
          </Button>
        );
      })}
      {losing && savesNothing && (
        <>
          <span aria-live="polite">{NOTHING_TO_SAVE}</span>
          <Button
            className="button--danger"
            aria-disabled={busy}
            onClick={() => void attempt(perform["Stop and save"])}
          >
            Stop without saving
          </Button>
        </>
      )}
      {/* The first press only asks; a second press in the same place cancels. */}
      {can.edit && (
        <Button
          key="discard"
          title={discarding ? "Keeps the run" : "Stops the run and deletes all of its data"}
          aria-disabled={busy}
          onClick={() => setDiscarding(!discarding)}
        >
          {discarding ? "Cancel" : "Delete"}
        </Button>
      )}
      {discarding && (
        <Button className="button--danger" onClick={() => void discard()}>
          Delete permanently
        </Button>
      )}
    </>
  );
}
