import { Button, LinkButton } from "../../components/Button.tsx";
import { Select } from "../../components/controls.tsx";
import { PageHeading } from "../../components/PageHeading.tsx";
import { slotToken } from "../../components/plot/plotTheme.ts";
import { EmptyView, FailedView, SkeletonView } from "../../components/ViewState.tsx";
import { replaceRoute } from "../../routes/navigation.ts";
import { type CompareRoute, LEAST_RUNS, MOST_RUNS, runsRoute } from "../../routes/route.ts";
import { useWorkbenchState } from "../../state/Workbench.ts";
import { ElitesPanel } from "./ElitesPanel.tsx";
import type { ComparedRun } from "./OpenRuns.ts";
import { useComparedRuns } from "./useComparedRuns.ts";
import { Workspace } from "./workspace/Workspace.tsx";
import "./ComparePage.css";

interface Props {
  readonly ids: readonly string[];
  readonly runs: readonly ComparedRun[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** The compared runs, each removable, and a list of runs to add. */
function RunChips({ ids, runs, onChange }: Props) {
  const list = useWorkbenchState((state) => state.list.runs);
  const others = (list ?? []).filter(({ id }) => !ids.includes(id));
  const nameOf = (id: string): string =>
    runs.find((run) => run.id === id)?.view.summary?.name ?? list?.find((run) => run.id === id)?.name ?? id;
  return (
    <ul className="row compare__chips" aria-label="Runs">
      {ids.map((id, place) => (
        <li key={id}>
          <i className="colour" style={{ background: `var(--${slotToken(place)})` }} /> {nameOf(id)}
          <Button
            small
            quiet
            aria-label={`Remove ${nameOf(id)}`}
            onClick={() => onChange(ids.filter((other) => other !== id))}
          >
            ×
          </Button>
        </li>
      ))}
      {ids.length < MOST_RUNS && others.length > 0 && (
        <li>
          <Select
            aria-label="Add a run"
            value=""
            options={[["", "Add a run…"], ...others.map(({ id, name }) => [id, name] as const)]}
            onChange={(id) => onChange([...ids, id])}
          />
        </li>
      )}
    </ul>
  );
}

/** Two to eight runs side by side: their curves, metrics, manifests and elites. */
export function ComparePage({ route }: { readonly route: CompareRoute }) {
  const ids = [...new Set(route.runs)].slice(0, MOST_RUNS);
  const runs = useComparedRuns(ids);
  const choose = (next: readonly string[]): void => replaceRoute({ ...route, runs: next });
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
            <Button onClick={() => choose(ids.filter((other) => other !== id))}>Remove this run</Button>
          }
        >
          {view.problem}
        </FailedView>
      ))}
      {ids.length < LEAST_RUNS && (
        <EmptyView
          title="Select 2 to 8 runs"
          action={<LinkButton to={runsRoute}>Go to runs</LinkButton>}
          guide={["evolution.html", "About evolution"]}
        >
          Their curves, champions and differences appear here side by side. Add runs above, or select them in
          the list of runs.
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
          <Workspace
            runs={open}
            text={route.panels}
            kinds={["curves", "metrics", "config"]}
            onChange={(panels) => replaceRoute({ ...route, panels })}
          />
          <ElitesPanel runs={open} />
        </>
      )}
    </div>
  );
}
