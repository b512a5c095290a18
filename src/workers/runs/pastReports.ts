import type { LoggedEvent, LogPlace, RunStore } from "../../storage/index.ts";
import {
  type GenerationRow,
  GrowingHistory,
  type HistoryColumns,
  noHistory,
} from "../../tracking/clients.ts";
import type { GenerationReport } from "../../tracking/observer.ts";
import { MAX_REPORTS } from "../protocol/calls.ts";
import { historyEventOf, type RunHistory } from "./runHistory.ts";

/**
 * The reports of the generations `first` to `last`, from memory or the run's log; missing ones are left out.
 * @throws RangeError for more than {@link MAX_REPORTS} generations.
 */
export async function reportsBetween(
  store: RunStore,
  id: string,
  history: RunHistory,
  first: number,
  last: number,
): Promise<GenerationReport[]> {
  if (!(last - first < MAX_REPORTS)) {
    throw new RangeError(
      `Generations ${first} to ${last} are more than ${MAX_REPORTS} reports; ask for at most ${MAX_REPORTS} at once.`,
    );
  }
  const found = new Map<number, GenerationReport>();
  const parts = new Map<number, Set<number>>();
  for (let generation = first; generation <= last; generation += 1) {
    const place = history.find(generation);
    if (place === null) continue;
    if ("event" in place) found.set(generation, place);
    else parts.set(place.part, (parts.get(place.part) ?? new Set()).add(place.seq));
  }
  for (const [part, seqs] of parts) {
    for (const [generation, report] of reportsOfEvents(await store.readEvents(id, part, seqs)))
      found.set(generation, report);
  }
  return [...found.values()].sort((a, b) => a.generation - b.generation);
}

/**
 * All generations from `from` on, reading one log segment at a time. A row with only the stored
 * numbers takes the place of a lost report.
 */
export async function* allReports(
  store: RunStore,
  id: string,
  history: RunHistory,
  from = 1,
): AsyncGenerator<GenerationRow> {
  const rows = history.rows().filter(({ generation }) => generation >= from);
  const places = rows.map(({ generation }) => history.find(generation));
  let open = Number.NaN;
  let found: ReadonlyMap<number, GenerationReport> = new Map();
  for (const [i, row] of rows.entries()) {
    const place = places[i] ?? null;
    if (place !== null && "part" in place && place.part !== open) {
      open = place.part;
      found = await reportsOfPart(store, id, open, places);
    }
    const report = place !== null && "event" in place ? place : found.get(row.generation);
    yield report ?? row;
  }
}

/** The reports that are stored in one log segment. */
async function reportsOfPart(
  store: RunStore,
  id: string,
  part: number,
  places: readonly (GenerationReport | LogPlace | null)[],
): Promise<ReadonlyMap<number, GenerationReport>> {
  const seqs = new Set<number>();
  for (const place of places)
    if (place !== null && "part" in place && place.part === part) seqs.add(place.seq);
  return reportsOfEvents(await store.readEvents(id, part, seqs));
}

function reportsOfEvents(events: readonly LoggedEvent[]): Map<number, GenerationReport> {
  const found = new Map<number, GenerationReport>();
  for (const logged of events) {
    const event = historyEventOf(logged);
    if (event?.type === "generation") found.set(event.report.generation, event.report);
  }
  return found;
}

/** The columns of a run's generations from `from` on, read from the log if they are not in memory. */
export async function readHistoryColumns(
  store: RunStore,
  id: string,
  history: RunHistory,
  from: number,
): Promise<HistoryColumns> {
  const all = new GrowingHistory(noHistory(), history.lengthFrom(from));
  for await (const report of allReports(store, id, history, from)) all.append(report);
  return all.columns;
}
