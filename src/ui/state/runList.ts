import type { GenerationReport } from "../../tracking/observer.ts";
import { type RunEvent, type RunSummary, SPARKLINE_POINTS } from "../../workers/protocol.ts";

/** The list of runs; `runs` is null until loaded. */
export interface RunList {
  readonly runs: readonly RunSummary[] | null;
  readonly problem: string | null;
}

export const NO_RUNS_YET: RunList = { runs: null, problem: null };

/** The list after an event; the same object if the event does not affect it. */
export function runListAfter(list: RunList, event: RunEvent): RunList {
  if (list.runs === null) return list;
  const isKnown = list.runs.some(({ id }) => id === event.run);
  // Another tab created the run.
  if (event.kind === "summary" && !isKnown) return { ...list, runs: [event.summary, ...list.runs] };
  const runs = list.runs.map((run) => (run.id === event.run ? afterEvent(run, event) : run));
  return runs.every((run, at) => run === list.runs?.[at]) ? list : { ...list, runs };
}

/** The fields of a run's summary that an event sets; null if it sets none by itself. */
export function fieldsSetBy(event: RunEvent): Partial<RunSummary> | null {
  switch (event.kind) {
    case "state":
      return { state: event.state, end: event.end, waiting: false };
    case "unsaved":
      return { unsaved: event.unsaved };
    case "fetch":
      return { fetch: event.fetch };
    case "note":
      return { note: event.text };
    default:
      return null;
  }
}

/** A run's summary after an event; the same object if the list does not show what the event tells. */
function afterEvent(run: RunSummary, event: RunEvent): RunSummary {
  if (event.kind === "summary") return event.summary;
  if (event.kind === "generation") return withGeneration(run, event.report);
  if (event.kind === "device") return { ...run, device: event.device.label };
  const fields = fieldsSetBy(event);
  return fields === null ? run : { ...run, ...fields };
}

function withGeneration(run: RunSummary, report: GenerationReport): RunSummary {
  const { generation, global_step, fitnesses, steps_per_second, at = Date.now() } = report;
  const best = Math.max(Number.NEGATIVE_INFINITY, ...fitnesses.filter(Number.isFinite));
  const highest = Math.max(run.best_fitness ?? Number.NEGATIVE_INFINITY, best);
  return {
    ...run,
    generation,
    global_step,
    steps_per_second,
    updated_at: at,
    best_fitness: Number.isFinite(highest) ? highest : null,
    sparkline: withPoint(run.sparkline, Number.isFinite(best) ? best : Number.NaN),
  };
}

/**
 * The trend with one more generation. Once each of its points stands for several generations, the last point takes it
 * in; the exact trend comes with the run's next checkpoint.
 */
function withPoint(sparkline: Float32Array, best: number): Float32Array {
  if (sparkline.length < SPARKLINE_POINTS) return Float32Array.from([...sparkline, best]);
  const points = sparkline.slice();
  const last = points.length - 1;
  const before = points[last] ?? Number.NaN;
  if (!(best <= before) && !Number.isNaN(best)) points[last] = best;
  return points;
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
