import type { RunSummary } from "../../../workers/protocol.ts";
import { Button, LinkButton } from "../../components/Button.tsx";
import { Select } from "../../components/controls.tsx";
import { PageHeading } from "../../components/PageHeading.tsx";
import { slotToken } from "../../components/plot/plotTheme.ts";
import { EmptyView, FailedView, SkeletonView } from "../../components/ViewState.tsx";
import { replaceRoute } from "../../routes/navigation.ts";
import { type CompareRoute, LEAST_RUNS, MOST_RUNS, runsRoute } from "../../routes/route.ts";
import { runColours } from "../../series/runColours.ts";
import { useWorkbenchState } from "../../state/Workbench.ts";
import { ElitesPanel } from "./ElitesPanel.tsx";
import type { ComparedRun } from "./OpenRuns.ts";
import { canPair } from "./pairs.ts";
import { useComparedRuns } from "./useComparedRuns.ts";
import { Workspace } from "./workspace/Workspace.tsx";
import "./ComparePage.css";

interface Props {
  readonly ids: readonly string[];
  readonly runs: readonly ComparedRun[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** A run in the list of those to add, where others may have its name. */
const addedName = ({ name, seed, created_at }: RunSummary): string =>
  `${name}${seed === null ? "" : `, seed ${seed}`}, ${new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }).format(created_at)}`;

/** The compared runs, each removable, and a list of runs to add. */
function RunChips({ ids, runs, onChange }: Props) {
  const list = useWorkbenchState((state) => state.list.runs);
  const others = (list ?? []).filter(({ id }) => !ids.includes(id));
  const colours = runColours(ids);
  const nameOf = (id: string): string => {
    const open = runs.find((run) => run.id === id && run.view.summary !== null);
    return open?.name ?? list?.find((run) => run.id === id)?.name ?? id;
  };
  return (
    <ul className="row compare__chips" aria-label="Runs">
      {ids.map((id) => (
        <li key={id}>
          <i className="colour" style={{ background: `var(--${slotToken(colours.get(id) ?? 0)})` }} />{" "}
          {nameOf(id)}
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
            options={[["", "Add a run…"], ...others.map((run) => [run.id, addedName(run)] as const)]}
            onChange={(id) => onChange([...ids, id])}
          />
        </li>
      )}
    </ul>
  );
}

/** Runs side by side: their curves, metrics, manifests and elites. */
export function ComparePage({ route }: { readonly route: CompareRoute }) {
  const ids = [...new Set(route.runs)].slice(0, MOST_RUNS);
  const runs = useComparedRuns(ids);
  const choose = (next: readonly string[]): void => replaceRoute({ ...route, runs: next });
  const lost = runs.filter(({ view }) => view.phase === "failed");
  const open = runs.filter(({ view }) => view.phase === "ready");
  return (
    <div className="page page--wide">
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
          title={`Select ${LEAST_RUNS} to ${MOST_RUNS} runs`}
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
            ({ id, name, problem }) =>
              problem !== null && (
                <FailedView key={id} title={`The history of ${name} could not be read`}>
                  {problem}
                </FailedView>
              ),
          )}
          <Workspace
            runs={open}
            text={route.panels}
            lost={lost.map(({ id }) => id)}
            kinds={["curves", ...(canPair(open) ? ["pair" as const] : []), "metrics", "config"]}
            onChange={(panels) => replaceRoute({ ...route, panels })}
          />
          <ElitesPanel runs={open} />
        </>
      )}
    </div>
  );
}
