import { useWorkbenchState } from "../../state/Workbench.ts";
import { MOST_RUNS, runColour } from "./runColour.ts";
import type { ComparedRun } from "./useComparedRuns.ts";

interface Props {
  readonly ids: readonly string[];
  readonly runs: readonly ComparedRun[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** The compared runs, each removable, and a list of runs to add. */
export function RunChips({ ids, runs, onChange }: Props) {
  const list = useWorkbenchState((state) => state.list.runs);
  const others = (list ?? []).filter(({ id }) => !ids.includes(id));
  const nameOf = (id: string): string =>
    runs.find((run) => run.id === id)?.view.summary?.name ?? list?.find((run) => run.id === id)?.name ?? id;
  return (
    <ul className="compare__chips" aria-label="Runs">
      {ids.map((id, place) => (
        <li key={id}>
          <i className="compare__colour" style={{ background: `var(--${runColour(place)})` }} /> {nameOf(id)}
          <button
            type="button"
            className="button button--small button--quiet"
            aria-label={`Remove ${nameOf(id)}`}
            onClick={() => onChange(ids.filter((other) => other !== id))}
          >
            ×
          </button>
        </li>
      ))}
      {ids.length < MOST_RUNS && others.length > 0 && (
        <li>
          <select
            className="field"
            aria-label="Add a run"
            value=""
            onChange={(event) => onChange([...ids, event.target.value])}
          >
            <option value="">Add a run…</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </li>
      )}
    </ul>
  );
}
