import { PageHeading } from "../../components/PageHeading.tsx";
import { EmptyView, FailedView, SkeletonView } from "../../components/ViewState.tsx";
import { replaceRoute } from "../../routes/navigation.ts";
import { type CompareRoute, formatRoute, runsRoute } from "../../routes/route.ts";
import { ConfigPanel } from "./ConfigPanel.tsx";
import { CurvesPanel } from "./CurvesPanel.tsx";
import { ElitesPanel } from "./ElitesPanel.tsx";
import { MetricsPanel } from "./MetricsPanel.tsx";
import { RunChips } from "./RunChips.tsx";
import { LEAST_RUNS, MOST_RUNS } from "./runColour.ts";
import { useComparedRuns } from "./useComparedRuns.ts";
import "./ComparePage.css";

/** Two to eight runs side by side: their curves, metrics, manifests and elites. */
export function ComparePage({ route }: { readonly route: CompareRoute }) {
  const ids = [...new Set(route.runs)].slice(0, MOST_RUNS);
  const runs = useComparedRuns(ids);
  const choose = (next: readonly string[]): void => replaceRoute({ page: "compare", runs: next });
  const lost = runs.filter(({ view }) => view.phase === "failed");
  const open = runs.filter(({ view }) => view.phase === "ready");
  return (
    <div className="page">
      <PageHeading title="Compare" />
      <RunChips ids={ids} runs={runs} onChange={choose} />
      {route.runs.length > MOST_RUNS && (
        <p>
          Up to {MOST_RUNS} runs can be compared. Showing the first {MOST_RUNS} of {route.runs.length}.
        </p>
      )}
      {lost.map(({ id, view }) => (
        <FailedView
          key={id}
          title={`Run ${id} could not be opened`}
          action={
            <button
              type="button"
              className="button"
              onClick={() => choose(ids.filter((other) => other !== id))}
            >
              Remove this run
            </button>
          }
        >
          {view.problem}
        </FailedView>
      ))}
      {ids.length < LEAST_RUNS && (
        <EmptyView
          title="Select 2 to 8 runs"
          action={
            <a className="button" href={formatRoute(runsRoute)}>
              Go to runs
            </a>
          }
        >
          Add them above, or select them in the list of runs.
        </EmptyView>
      )}
      {ids.length >= LEAST_RUNS && open.length === 0 && lost.length === 0 && (
        <SkeletonView label="Opening runs…" />
      )}
      {ids.length >= LEAST_RUNS && open.length > 0 && (
        <>
          {open.map(
            ({ id, problem, view }) =>
              problem !== null && (
                <FailedView key={id} title={`The history of ${view.summary?.name ?? id} could not be read`}>
                  {problem}
                </FailedView>
              ),
          )}
          <CurvesPanel runs={open} />
          <MetricsPanel runs={open} />
          <ConfigPanel runs={open} />
          <ElitesPanel runs={open} />
        </>
      )}
    </div>
  );
}
