import { type ReactNode, useEffect, useState } from "react";
import { useStore } from "zustand";
import { isRemoteRun } from "../../../workers/pages.ts";
import type { RunSummary, Unsaved } from "../../../workers/protocol.ts";
import { Button, LinkButton } from "../../components/Button.tsx";
import { MessagePage } from "../../components/MessagePage.tsx";
import { LinkNote } from "../../components/runState.tsx";
import { fitnessWord } from "../../games/fitnessWord.tsx";
import { saveFile } from "../../lib/files.ts";
import { formatCount } from "../../lib/format.ts";
import { type RunRoute, runsRoute } from "../../routes/route.ts";
import { RunView } from "../../state/RunView.ts";
import type { RunViewState } from "../../state/RunViewState.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { RunHead } from "./head/RunHead.tsx";
import { standingOf } from "./runTexts.ts";
import { SteeringQueue } from "./steering/SteeringQueue.tsx";
import "./RunShell.css";

interface UnsavedCalloutProps {
  readonly summary: RunSummary;
  readonly unsaved: Unsaved;
}

/** Says, while saving the run fails, what would be lost and what to do. */
function UnsavedCallout({ summary, unsaved }: UnsavedCalloutProps) {
  const workbench = useWorkbench();
  const { id, state, generation } = summary;
  const { since, full, reason } = unsaved;
  const download = (): Promise<boolean> =>
    workbench.attempt(async () => saveFile(await workbench.coordinator.downloadElite(id)), `elite ${id}`);
  const kept = since - 1;
  return (
    <div className="callout callout--error" role="alert">
      <p>
        <strong>
          Nothing is saved since generation {formatCount(since)}:{" "}
          {full ? "the browser's storage is full." : "writing to the browser's storage fails."}
        </strong>{" "}
        {state === "running" && "Training continues. "}
        If this tab is closed,{" "}
        {kept > 0
          ? `the run resumes from generation ${formatCount(kept)}.`
          : "the run starts from the beginning."}{" "}
        {full ? "Delete runs, checkpoints or data sets to make room." : reason} Saving is tried again every 10
        s.
      </p>
      <LinkButton to={{ page: "storage" }}>Make room</LinkButton>
      {generation > 0 && <Button onClick={() => void download()}>Download elite</Button>}
    </div>
  );
}

/** Opens a run while the component is mounted. For another run, mount a new component (set a `key`). */
function useRunView(id: string): { session: RunView; view: RunViewState } {
  const workbench = useWorkbench();
  const [session] = useState(() => new RunView());
  useEffect(() => workbench.openRun(id, session), [workbench, id, session]);
  const view = useStore(session.view);
  return { session, view };
}

/** An open run. */
interface OpenRun {
  readonly session: RunView;
  readonly view: RunViewState;
  readonly summary: RunSummary;
}

interface Props {
  readonly route: RunRoute;
  /** Renders the content below the run's name and buttons. */
  readonly children: (run: OpenRun) => ReactNode;
}

/** The common layout of all views of a run. */
export function RunShell({ route, children }: Props) {
  const { session, view } = useRunView(route.id);
  const { phase, problem, summary } = view;
  if (phase === "failed") {
    return (
      <MessagePage title="This run could not be opened">
        <p>{problem}</p>
        {isRemoteRun(route.id) ? (
          <>
            <p>Connect to the platform that trains it, then open it from the list there.</p>
            <LinkButton primary to={{ page: "remote" }}>
              Go to Remote
            </LinkButton>
          </>
        ) : (
          <>
            <p>It may have been deleted, or it was trained in another browser or at another site address.</p>
            <LinkButton primary to={runsRoute}>
              Go to runs
            </LinkButton>
          </>
        )}
      </MessagePage>
    );
  }
  if (summary === null) return <p className="page loading dim">Opening the run…</p>;
  const standing = standingOf(summary, view.manifest, fitnessWord(view));
  return (
    <div className="page run">
      <RunHead view={view} summary={summary} />
      {view.failure !== null && (
        <div className="callout callout--error" role="alert">
          <p>{view.failure}</p>
        </div>
      )}
      {summary.unsaved !== null && <UnsavedCallout summary={summary} unsaved={summary.unsaved} />}
      {isRemoteRun(route.id) && <LinkNote />}
      {standing !== null && (
        <div className={standing.warns ? "callout callout--warning" : "callout"}>
          <p>{standing.text}</p>
        </div>
      )}
      {children({ session, view, summary })}
      {summary.can.steer && <SteeringQueue session={session} />}
    </div>
  );
}
