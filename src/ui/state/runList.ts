import type { RunEvent, RunSummary } from "../../workers/protocol.ts";

/** The runs that the first page lists; `runs` is null until they are loaded. */
export interface RunList {
  readonly runs: readonly RunSummary[] | null;
  /** When `runs` was read, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly problem: string | null;
}

export const NO_RUNS_YET: RunList = { runs: null, readAt: 0, problem: null };

/** The list after an event; the same object when the event does not show there. */
export function runListAfter(list: RunList, event: RunEvent): RunList {
  if (list.runs === null) return list;
  const isKnown = list.runs.some(({ id }) => id === event.run);
  // Another tab has made it.
  if (event.kind === "summary" && !isKnown) return { ...list, runs: [event.summary, ...list.runs] };
  const change = changeOf(event);
  if (change === null || !isKnown) return list;
  return { ...list, runs: list.runs.map((run) => (run.id === event.run ? change(run) : run)) };
}

/** What an event changes in a run's row; null when nothing. */
function changeOf(event: RunEvent): ((run: RunSummary) => RunSummary) | null {
  switch (event.kind) {
    case "state":
      return (run) => ({ ...run, state: event.state });
    case "generation": {
      const { generation, global_step, fitnesses } = event.report;
      return (run) => {
        const known = [run.best_fitness ?? Number.NEGATIVE_INFINITY, ...fitnesses.filter(Number.isFinite)];
        const best = Math.max(...known);
        return { ...run, generation, global_step, best_fitness: Number.isFinite(best) ? best : null };
      };
    }
    case "summary":
      return () => event.summary;
    case "fetch":
      return (run) => ({ ...run, fetch: event.fetch });
    case "note":
      return (run) => ({ ...run, note: event.text });
    case "progress":
    case "completions":
    case "notice":
    case "device":
    case "checkpoint":
    case "steering":
      return null;
  }
}

/** The run that trains or is held here, the newest of several; null when none does. */
export function liveRun({ runs }: RunList, leaving: ReadonlySet<string>): RunSummary | null {
  const live = (runs ?? []).filter(
    ({ id, state }) => (state === "running" || state === "paused") && !leaving.has(id),
  );
  const rank = (run: RunSummary): number => (run.state === "running" ? 1 : 0);
  return live.sort((a, b) => rank(b) - rank(a) || b.created_at - a.created_at)[0] ?? null;
}
