import { useEffect } from "react";
import { isRemoteRun } from "../../../workers/remoteProtocol.ts";
import { ErrorBoundary } from "../../components/ErrorBoundary.tsx";
import type { RunRoute } from "../../routes/route.ts";
import { highlightMember } from "../../state/highlight.ts";
import { GenerationAnnouncer } from "./GenerationAnnouncer.tsx";
import { GenerationScrubber } from "./GenerationScrubber.tsx";
import { RunShell } from "./RunShell.tsx";
import { RunTabs } from "./RunTabs.tsx";
import { RunRouteContext } from "./runRouteContext.ts";
import { preloadOverview, TABS } from "./tabViews.tsx";

export { preloadOverview as preloadParts };

/** One run, live: the view that the address names, of the generation that it names. */
export function RunPage({ route }: { readonly route: RunRoute }) {
  const wanted = TABS[route.tab];
  const entry = wanted === undefined || (wanted.localOnly && isRemoteRun(route.id)) ? TABS.overview : wanted;
  // The pointer leaves nothing when what is under it goes away.
  useEffect(() => () => highlightMember(null), [route.tab]);
  return (
    <RunRouteContext value={route}>
      <RunShell route={route}>
        {({ session, view, summary }) => (
          <>
            <GenerationScrubber route={route} series={session.series} generation={summary.generation} />
            <RunTabs route={route} manifest={view.manifest} />
            <ErrorBoundary place={route.tab}>{entry && <entry.Component session={session} />}</ErrorBoundary>
            <GenerationAnnouncer view={view} />
          </>
        )}
      </RunShell>
    </RunRouteContext>
  );
}
