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
  const change = changeOf(event);
  if (change === null || !isKnown) return list;
  return { ...list, runs: list.runs.map((run) => (run.id === event.run ? change(run) : run)) };
}

/** The change that an event makes to a run's summary; null if none. */
function changeOf(event: RunEvent): ((run: RunSummary) => RunSummary) | null {
  switch (event.kind) {
    case "state":
      return (run) => ({ ...run, state: event.state, end: event.end, waiting: false });
    case "generation":
      return (run) => withGeneration(run, event.report);
    case "device":
      return (run) => ({ ...run, device: event.device.label });
    case "unsaved":
      return (run) => ({ ...run, unsaved: event.unsaved });
    case "summary":
      return () => event.summary;
    case "fetch":
      return (run) => ({ ...run, fetch: event.fetch });
    case "note":
      return (run) => ({ ...run, note: event.text });
    case "progress":
    case "completions":
    case "notice":
    case "checkpoint":
    case "steering":
      return null;
  }
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
