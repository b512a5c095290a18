import { describe, expect, it } from "vitest";
import { noHistory } from "../../../src/tracking/clients.ts";
import type { GenerationReport } from "../../../src/tracking/observer.ts";
import { HistoryStore } from "../../../src/ui/series/HistoryStore.ts";
import { lineageColours } from "../../../src/ui/series/lineageColours.ts";
import { historyOf } from "../support/histories.ts";
import { generationReport } from "../support/reports.ts";

const reports = (count: number): GenerationReport[] =>
  Array.from({ length: count }, (_, row) => generationReport(row + 1, [row, 10 - row, 5]));

describe("HistoryStore", () => {
  const all = reports(40);
  const from = (first: number, last: number) => (generation: number) =>
    generation >= first && generation <= last ? all[generation - 1] : undefined;

  it("loads once, then takes the reports at hand", async () => {
    let loads = 0;
    let last = 3;
    const store = new HistoryStore(
      async () => {
        loads += 1;
        return historyOf(all.slice(0, last));
      },
      { report: from(1, 40), last: () => last },
    );
    expect(store.state.getState().phase).toBe("loading");
    await store.catchUp();
    expect(store.state.getState()).toEqual({ phase: "ready", problem: null, version: 3 });
    last = 20;
    await store.catchUp();
    expect(loads).toBe(1);
    expect(store.columns).toEqual(historyOf(all.slice(0, 20)));
    const colours = lineageColours(historyOf(all.slice(0, 20)));
    for (const index of store.columns?.index ?? []) expect(store.colours.of(index)).toBe(colours.of(index));
  });

  it("reads all again when reports between are no longer at hand", async () => {
    let loads = 0;
    let last = 1;
    const store = new HistoryStore(
      async () => {
        loads += 1;
        return historyOf(all.slice(0, last));
      },
      { report: from(30, 40), last: () => last },
    );
    await store.catchUp();
    last = 35;
    await store.catchUp();
    expect([loads, store.columns?.generations]).toEqual([2, 35]);
    last = 36;
    await store.catchUp();
    expect([loads, store.columns?.generations]).toEqual([2, 36]);
  });

  it("stays with what it has when the log has no more", async () => {
    const store = new HistoryStore(async () => historyOf(all.slice(0, 5)), {
      report: () => undefined,
      last: () => 9,
    });
    await store.catchUp();
    expect(store.state.getState()).toEqual({ phase: "ready", problem: null, version: 5 });
  });

  it("tells what went wrong, and tries again when asked", async () => {
    let broken = true;
    const store = new HistoryStore(
      async () => {
        if (broken) throw new Error("The log is damaged.");
        return noHistory();
      },
      { report: from(1, 40), last: () => 2 },
    );
    await store.catchUp();
    expect(store.state.getState()).toEqual({ phase: "failed", problem: "The log is damaged.", version: 0 });
    broken = false;
    await store.catchUp();
    expect(store.state.getState()).toEqual({ phase: "ready", problem: null, version: 2 });
  });
});
