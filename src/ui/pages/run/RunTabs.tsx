import { trainsOnText } from "../../../specs/textEnvironments.ts";
import { isRemoteRun } from "../../../workers/remoteProtocol.ts";
import { formatRoute, RUN_TABS, type RunRoute } from "../../routes/route.ts";
import { TABS } from "./tabViews.tsx";

/** Links to the views of a run. What is looked at stays the same from one to the other. */
export function RunTabs({ route, manifest }: { readonly route: RunRoute; readonly manifest: unknown }) {
  const text = trainsOnText(manifest);
  return (
    <nav className="run-tabs" aria-label="Views of this run">
      {RUN_TABS.map((tab) => {
        const entry = TABS[tab];
        return (
          entry !== undefined &&
          !(entry.networksOnly && text) &&
          !(entry.localOnly && isRemoteRun(route.id)) && (
            <a
              key={tab}
              href={formatRoute({ ...route, tab })}
              aria-current={route.tab === tab ? "page" : undefined}
            >
              {entry.label}
            </a>
          )
        );
      })}
    </nav>
  );
}
