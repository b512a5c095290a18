import { useMemo } from "react";
import { PageHeading } from "../../components/PageHeading.tsx";
import { FailedView, SkeletonView } from "../../components/ViewState.tsx";
import { loadable } from "../../lib/loadable.tsx";
import { editorRoute, formatRoute, type RunsRoute } from "../../routes/route.ts";
import { useRemotePlatform } from "../../state/remotePlatform.ts";
import { useWorkbench, useWorkbenchState } from "../../state/Workbench.ts";
import { ImportManifestButton } from "../editor/ImportManifestButton.tsx";
import { FirstVisit } from "./FirstVisit.tsx";
import { StorageRemarks } from "./StorageRemarks.tsx";
import "./RunsPage.css";

const RunsPanel = loadable(
  async () => (await import("./RunsPanel.tsx")).RunsPanel,
  <SkeletonView label="Loading the list…" />,
);

const PlatformRuns = loadable(async () => (await import("../remote/PlatformRuns.tsx")).PlatformRuns);

/** The runs in this browser, or starting points before the first; below them those of the connected platform. */
export function RunsPage({ route }: { readonly route: RunsRoute }) {
  const workbench = useWorkbench();
  const { runs, problem } = useWorkbenchState((state) => state.list);
  const leaving = useWorkbenchState((state) => state.leaving);
  const platform = useRemotePlatform((state) => state.platform);
  const shown = useMemo(() => runs?.filter(({ id }) => !leaving.has(id)) ?? null, [runs, leaving]);
  const isFirst = shown?.length === 0;
  return (
    <div className="page page--wide runs">
      <div className="page__head">
        <div className="page__head-text">
          <PageHeading title="Runs" />
        </div>
        <div className="page__actions">
          <ImportManifestButton />
          <a className={isFirst ? "button" : "button button--primary"} href={formatRoute(editorRoute())}>
            New run
          </a>
        </div>
      </div>
      <StorageRemarks />
      {problem !== null && (
        <FailedView
          title="The runs could not be read"
          action={
            <button type="button" className="button" onClick={() => void workbench.refresh()}>
              Try again
            </button>
          }
        >
          {problem}
        </FailedView>
      )}
      {shown === null && problem === null && <SkeletonView label="Loading runs…" />}
      {isFirst && <FirstVisit />}
      {shown !== null && !isFirst && <RunsPanel runs={shown} route={route} />}
      {platform !== null && <PlatformRuns platform={platform} />}
    </div>
  );
}
