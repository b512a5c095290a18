import { trainsOnText } from "../../../specs/textEnvironments.ts";
import type { RunRoute } from "../../routes/route.ts";
import { CompletionsPanel } from "./CompletionsPanel.tsx";
import { ElitePanel } from "./ElitePanel.tsx";
import { FitnessPanel } from "./FitnessPanel.tsx";
import { GenerationAnnouncer } from "./GenerationAnnouncer.tsx";
import { MessageLog } from "./MessageLog.tsx";
import { PopulationPanel } from "./PopulationPanel.tsx";
import { RunShell } from "./RunShell.tsx";
import { RunStats } from "./RunStats.tsx";
import "./RunPage.css";

export { preloadParts } from "./lazyParts.ts";

/** One run, live: its fitness, its members, its elite at play or what its members write. */
export function RunPage({ route }: { readonly route: RunRoute }) {
  return (
    <RunShell route={route}>
      {({ session, view, summary }) => (
        <>
          <RunStats view={view} summary={summary} series={session.series} />
          <div className="run__columns">
            <FitnessPanel route={route} session={session} view={view} />
            {trainsOnText(view.manifest) ? (
              <CompletionsPanel reports={view.completions} manifest={view.manifest} />
            ) : (
              <ElitePanel id={route.id} environment={summary.environment} generation={summary.generation} />
            )}
          </div>
          <PopulationPanel route={route} session={session} />
          <MessageLog notices={view.notices} />
          <GenerationAnnouncer view={view} />
        </>
      )}
    </RunShell>
  );
}
