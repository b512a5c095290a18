import { MessagePage } from "../../components/MessagePage.tsx";
import type { RunRoute } from "../../routes/route.ts";
import { ElitePanel } from "./ElitePanel.tsx";
import { FitnessPanel } from "./FitnessPanel.tsx";
import { GenerationAnnouncer } from "./GenerationAnnouncer.tsx";
import { MessageLog } from "./MessageLog.tsx";
import { PopulationPanel } from "./PopulationPanel.tsx";
import { RunHead } from "./RunHead.tsx";
import { RunStats } from "./RunStats.tsx";
import { useRunSession } from "./useRunSession.ts";
import "./RunPage.css";

export { preloadParts } from "./lazyParts.ts";

/** One run, live: its fitness, its members, its elite at play. */
export function RunPage({ route }: { readonly route: RunRoute }) {
  const { session, view } = useRunSession(route.id);
  const { phase, problem, summary } = view;
  if (phase === "failed") {
    return (
      <MessagePage title="This run could not be opened">
        <p>{problem}</p>
        <p>It may have been deleted, or it was trained in another browser or under another address.</p>
        <a className="button button--primary" href="#/">
          Go to the runs
        </a>
      </MessagePage>
    );
  }
  if (summary === null) return <p className="page loading">Opening the run …</p>;
  return (
    <div className="page run">
      <RunHead view={view} summary={summary} />
      {view.failure !== null && (
        <div className="callout callout--error" role="alert">
          <p>{view.failure}</p>
        </div>
      )}
      {summary.state === "interrupted" && (
        <div className="callout callout--warning">
          <p>
            The tab was closed or reloaded while this run trained. Resume goes on from its last checkpoint, as
            if nothing had happened.
          </p>
        </div>
      )}
      <RunStats view={view} summary={summary} />
      <div className="run__columns">
        <FitnessPanel route={route} session={session} view={view} />
        <ElitePanel id={route.id} environment={summary.environment} generation={summary.generation} />
      </div>
      <PopulationPanel route={route} view={view} />
      <MessageLog notices={view.notices} />
      <GenerationAnnouncer view={view} />
    </div>
  );
}
