import type { RunRoute } from "../../routes/route.ts";
import { ElitePanel } from "./ElitePanel.tsx";
import { FitnessPanel } from "./FitnessPanel.tsx";
import { GenerationAnnouncer } from "./GenerationAnnouncer.tsx";
import { MessageLog } from "./MessageLog.tsx";
import { PopulationPanel } from "./PopulationPanel.tsx";
import { RunShell } from "./RunShell.tsx";
import { RunStats } from "./RunStats.tsx";
import "./RunPage.css";

export { preloadParts } from "./lazyParts.ts";

/** One run, live: its fitness, its members, its elite at play. */
export function RunPage({ route }: { readonly route: RunRoute }) {
  return (
    <RunShell route={route}>
      {({ session, view, summary }) => (
        <>
          <RunStats view={view} summary={summary} />
          <div className="run__columns">
            <FitnessPanel route={route} session={session} view={view} />
            <ElitePanel id={route.id} environment={summary.environment} generation={summary.generation} />
          </div>
          <PopulationPanel route={route} session={session} />
          <MessageLog notices={view.notices} />
          <GenerationAnnouncer view={view} />
        </>
      )}
    </RunShell>
  );
}
