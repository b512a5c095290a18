import { useStore } from "zustand";
import { Button } from "../components/Button.tsx";
import { WorkbenchContext } from "../state/Workbench.ts";
import { LiveRun } from "./LiveRun.tsx";
import type { LiveSession } from "./LiveSession.ts";
import "./live.css";

interface Props {
  readonly sessions: readonly LiveSession[];
  /** Why this browser cannot train; null if it can. */
  readonly missing: string | null;
}

/** A run or two, beside each other. */
export function LivePage({ sessions, missing }: Props) {
  const problem =
    missing ?? (sessions.length === 0 ? "This link contains no manifest. Ask for a new link." : null);
  if (problem !== null)
    return (
      <main className="live live--text panel__body">
        <p role="alert">{problem}</p>
      </main>
    );
  return (
    <main className="live" data-runs={sessions.length}>
      <h1 className="visually-hidden">A run that trains in this page</h1>
      {sessions.map((session, at) => (
        <WorkbenchContext key={`${at} ${session.title}`} value={session.workbench}>
          <Session session={session} />
        </WorkbenchContext>
      ))}
    </main>
  );
}

/** A run in any of its states. */
function Session({ session }: { readonly session: LiveSession }) {
  const { phase, run, problem } = useStore(session.state);
  const loss = useStore(session.workbench.state, (state) => state.loss);
  const begin = (): void => void session.start();
  if (loss !== null || problem !== null)
    return (
      <section className="live__run live--text shrinks panel__body">
        <p role="alert">{loss ?? problem}</p>
        {loss === null && <Button onClick={begin}>Try again</Button>}
      </section>
    );
  if (phase === "waiting")
    return (
      <section className="live__run live--text shrinks panel__body">
        <p>The run trains in this page. Nothing of it is stored.</p>
        <Button primary onClick={begin}>
          Train
        </Button>
      </section>
    );
  if (run === null)
    return (
      <section className="live__run live--text shrinks panel__body">
        <p>The engine is loading…</p>
      </section>
    );
  return <LiveRun key={run.id} id={run.id} view={run.view} title={session.title} again={begin} />;
}
