import type { RunEvent, RunSummary } from "../../workers/protocol.ts";

/** The list of runs; `runs` is null until loaded. */
export interface RunList {
  readonly runs: readonly RunSummary[] | null;
  /** When `runs` was read, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly problem: string | null;
}

export const NO_RUNS_YET: RunList = { runs: null, readAt: 0, problem: null };

/** The list after an event; the same object if the event does not affect it. */
export function runListAfter(list: RunList, event: RunEvent): RunList {
  if (list.runs === null) return list;
  const isKnown = list.runs.some(({ id }) => id === event.run);
  // Another tab created the run.
  if (event.kind === "summary" && !isKnown) return { ...list, runs: [event.summary, ...list.runs] };
  const change = changeOf(event);
  if (change === null || !isKnown) return list;
  return { ...list, runs: list.runs.map((run) => (run.id === event.run ? change(run) : run)) };
}

/** The change that an event makes to a run's summary; null if none. */
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

/**
 * The running or paused run: a running one before a paused one, and the newest among equals; null if there is
 * none.
 */
export function liveRun({ runs }: RunList, leaving: ReadonlySet<string>): RunSummary | null {
  const live = (runs ?? []).filter(
    ({ id, state }) => (state === "running" || state === "paused") && !leaving.has(id),
  );
  const rank = (run: RunSummary): number => (run.state === "running" ? 1 : 0);
  return live.sort((a, b) => rank(b) - rank(a) || b.created_at - a.created_at)[0] ?? null;
}
