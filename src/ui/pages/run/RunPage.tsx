import { useEffect } from "react";
import type { RunAbilities } from "../../../workers/pages.ts";
import { ErrorBoundary } from "../../components/ErrorBoundary.tsx";
import type { RunRoute } from "../../routes/route.ts";
import { highlightMember } from "../../state/highlight.ts";
import type { RunSession } from "../../state/RunSession.ts";
import { GenerationAnnouncer } from "./GenerationAnnouncer.tsx";
import { GenerationScrubber } from "./GenerationScrubber.tsx";
import { RunShell } from "./RunShell.tsx";
import { RunTabs } from "./RunTabs.tsx";
import { RunRouteContext } from "./runRouteContext.ts";
import { canShow, preloadOverview, TABS } from "./tabViews.tsx";

export { preloadOverview as preloadParts };

interface TabViewProps {
  readonly tab: RunRoute["tab"];
  /** The operations that the run supports. */
  readonly can: RunAbilities;
  readonly session: RunSession;
}

/** The view of a tab, or the overview if the run does not have that view. */
function TabView({ tab, can, session }: TabViewProps) {
  const wanted = TABS[tab];
  const entry = wanted !== undefined && canShow(wanted, can) ? wanted : TABS.overview;
  return entry && <entry.Component session={session} />;
}

/** One run, live: shows the view and the generation that the route names. */
export function RunPage({ route }: { readonly route: RunRoute }) {
  // No leave event fires when the element under the pointer is removed.
  useEffect(() => () => highlightMember(null), [route.tab]);
  return (
    <RunRouteContext value={route}>
      <RunShell route={route}>
        {({ session, view, summary: { can, generation, state } }) => (
          <>
            <GenerationScrubber
              route={route}
              columns={session.columns}
              generation={generation}
              training={state === "running"}
            />
            <RunTabs route={route} manifest={view.manifest} can={can} />
            <ErrorBoundary place={route.tab}>
              <TabView tab={route.tab} can={can} session={session} />
            </ErrorBoundary>
            <GenerationAnnouncer view={view} />
          </>
        )}
      </RunShell>
    </RunRouteContext>
  );
}
