import { trainsOnText } from "../../../specs/sections.ts";
import type { RunAbilities } from "../../../workers/pages.ts";
import { formatRoute, RUN_TABS, type RunRoute } from "../../routes/route.ts";
import { canShow, TABS } from "./tabViews.tsx";

interface Props {
  readonly route: RunRoute;
  readonly manifest: unknown;
  /** The operations that the run supports. */
  readonly can: RunAbilities;
}

/** Links to the views of a run. The rest of the route, such as the generation, stays the same. */
export function RunTabs({ route, manifest, can }: Props) {
  const text = trainsOnText(manifest);
  return (
    <nav className="run-tabs" aria-label="Views of this run">
      {RUN_TABS.map((tab) => {
        const entry = TABS[tab];
        return (
          entry !== undefined &&
          !(entry.networksOnly && text) &&
          canShow(entry, can) && (
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
