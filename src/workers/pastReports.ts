import type { RunStore } from "../storage/index.ts";
import { generationRows } from "../tracking/generationColumns.ts";
import { reportOfRow } from "../tracking/reportOfRow.ts";
import type { GenerationReport } from "../training/loop/observer.ts";
import { MAX_REPORTS } from "./protocol.ts";
import { historyEventOf, type RunHistory } from "./runHistory.ts";

/**
 * The reports of the generations from `first` to `last`, from memory or the run's log; what is in neither is left out.
 * @throws RangeError when that would be more than {@link MAX_REPORTS}.
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
    for (const logged of await store.readEvents(id, part, seqs)) {
      const event = historyEventOf(logged);
      if (event?.type === "generation") found.set(event.report.generation, event.report);
    }
  }
  return [...found.values()].sort((a, b) => a.generation - b.generation);
}

/** All generations from `from` on, a block at a time. Of one whose report is lost there is what its numbers say. */
export async function* allReports(
  store: RunStore,
  id: string,
  history: RunHistory,
  from = 1,
): AsyncGenerator<GenerationReport> {
  const rows = [...generationRows(history.columns())].filter(({ generation }) => generation >= from);
  for (let at = 0; at < rows.length; at += MAX_REPORTS) {
    const block = rows.slice(at, at + MAX_REPORTS);
    const [first, last] = [block[0]?.generation ?? 0, block.at(-1)?.generation ?? 0];
    const known = await reportsBetween(store, id, history, first, last);
    const found = new Map(known.map((report) => [report.generation, report]));
    for (const row of block) yield found.get(row.generation) ?? reportOfRow(row);
  }
}
