import { describe, expect, it } from "vitest";
import { memoryFileStore, memoryRunIndex, memoryRunLocks, RunStore } from "../../../src/storage/index.ts";
import type { GenerationRow } from "../../../src/tracking/clients.ts";
import { metricRow } from "../../../src/tracking/history.ts";
import type { GenerationReport } from "../../../src/tracking/observer.ts";
import { historyEventOf, RunHistory } from "../../../src/workers/coordinator.ts";
import { allReports, reportsBetween } from "../../../src/workers/runs/pastReports.ts";
import { type HistoryEvent, withinMemory } from "../../../src/workers/runs/runHistory.ts";
import { completionsReport } from "../../tracking/completionReports.ts";
import { generationReport } from "../../ui/support/reports.ts";

/** A realistic report, which depends only on the generation. */
const reportOf = (generation: number): GenerationReport => ({
  ...generationReport(generation, [generation % 97, Number.NaN, -generation, generation / 3]),
  seconds: 0.01 + generation / 1e6,
});
const toldOf = (generation: number): HistoryEvent => ({ type: "generation", report: reportOf(generation) });
const rangeOf = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const newStore = () =>
  new RunStore({ files: memoryFileStore(), index: memoryRunIndex(), locks: memoryRunLocks() });

/** A history whose generations are written to a run's log in batches. */
async function writtenRun(generations: number) {
  const store = newStore();
  const { id } = await store.createRun({ name: "A", manifest: {} });
  const history = new RunHistory();
  let mostHeld = 0;
  for (let first = 1; first <= generations; first += 100) {
    const events = rangeOf(first, Math.min(generations, first + 99)).map(toldOf);
    for (const event of events) history.add(event);
    mostHeld = Math.max(mostHeld, history.held);
    history.written(events, await store.appendLog(id, events));
  }
  return { store, id, history, mostHeld };
}

async function readAgain(store: RunStore, id: string): Promise<RunHistory> {
  const history = new RunHistory();
  await store.scanLog(id, (logged, place) => {
    const event = historyEventOf(logged);
    if (event !== null) history.add(event, place);
  });
  return history;
}

describe("the history of a run", () => {
  it("keeps numbers of 20,000 generations and few reports, and finds the others as they were told", async () => {
    const { store, id, history, mostHeld } = await writtenRun(20_000);
    expect(mostHeld).toBeLessThanOrEqual(16 + 100);
    expect(history.held).toBe(16);
    const columns = history.columns();
    const bytes = [columns.generation, columns.global_step, columns.seconds, columns.fitness].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    );
    // Four members: 7 numbers per generation.
    expect(bytes).toBe(20_000 * 7 * 8);
    expect(columns.generation).toHaveLength(20_000);

    for (const first of [1, 9_990, 19_990]) {
      const wanted = rangeOf(first, first + 10);
      expect(await reportsBetween(store, id, history, first, first + 10)).toEqual(wanted.map(reportOf));
    }
    expect(history.latest).toEqual(reportOf(20_000));
    expect(await reportsBetween(store, id, history, 0, 0)).toEqual([]);
    expect(await reportsBetween(store, id, history, 20_001, 20_010)).toEqual([]);
    await expect(reportsBetween(store, id, history, 1, 20_000)).rejects.toThrow(/at most 64 at once/);

    // The same from the log alone.
    const again = await readAgain(store, id);
    expect(again.held).toBe(16);
    expect(again.columns()).toEqual(columns);
    expect(again.best).toBe(history.best);
    expect(await reportsBetween(store, id, again, 1, 2)).toEqual([reportOf(1), reportOf(2)]);
  });

  it("gives the numbers that the reports had", async () => {
    const { history } = await writtenRun(40);
    expect(history.rows()).toEqual(
      rangeOf(1, 40)
        .map(reportOf)
        .map(({ generation, global_step, seconds, fitnesses }) => ({
          generation,
          global_step,
          seconds,
          fitnesses,
        })),
    );
    expect(history.best).toBe(40);
  });

  it("forgets what happens again after a resumption, and finds the later telling", async () => {
    const { store, id, history } = await writtenRun(50);
    const resumed: HistoryEvent = { type: "resumed", generation: 20 };
    history.written([resumed], await store.appendLog(id, [resumed]));
    history.add(resumed);
    expect(history.length).toBe(20);
    expect(await reportsBetween(store, id, history, 20, 22)).toEqual([reportOf(20)]);
    const other = { ...reportOf(21), seconds: 7 };
    const told: HistoryEvent = { type: "generation", report: other };
    history.add(told);
    history.written([told], await store.appendLog(id, [told]));
    for (const one of [history, await readAgain(store, id)]) {
      expect(one.length).toBe(21);
      expect(one.best).toBe(21);
      expect(await reportsBetween(store, id, one, 20, 22)).toEqual([reportOf(20), other]);
    }
  });

  it("keeps at hand what is not written yet, up to a bound, and of older ones the numbers", async () => {
    const history = new RunHistory();
    let waiting: HistoryEvent[] = [];
    for (const generation of rangeOf(1, 2000)) {
      history.add(toldOf(generation));
      waiting = withinMemory([...waiting, toldOf(generation)]);
      expect(waiting.length).toBeLessThanOrEqual(513);
    }
    expect(history.held).toBe(512);
    const store = newStore();
    const { id } = await store.createRun({ name: "A", manifest: {} });
    expect(await reportsBetween(store, id, history, 1998, 2000)).toEqual([1998, 1999, 2000].map(reportOf));
    expect(await reportsBetween(store, id, history, 1, 3)).toEqual([]);
    // Once there is room, the log has all numbers and those reports.
    history.written(waiting, await store.appendLog(id, waiting));
    expect(history.held).toBe(16);
    const again = await readAgain(store, id);
    expect(again.columns()).toEqual(history.columns());
    for (const one of [history, again]) {
      expect(await reportsBetween(store, id, one, 1485, 1490)).toEqual([1489, 1490].map(reportOf));
    }
  });

  it("tells itself anew for a log that is lost", async () => {
    const { store, id, history } = await writtenRun(600);
    const notice = { level: "info", message: "Hello", at: 1 } as const;
    history.add({ type: "notice", notice });
    const events = history.retold();
    expect(await reportsBetween(store, id, history, 1, 5)).toEqual([]);
    const other = newStore();
    const made = await other.createRun({ name: "B", manifest: {} });
    history.written(events, await other.appendLog(made.id, events));
    const again = await readAgain(other, made.id);
    expect(again.columns()).toEqual(history.columns());
    expect(again.notices).toEqual([notice]);
    for (const one of [history, again]) {
      expect(await reportsBetween(other, made.id, one, 580, 590)).toEqual(rangeOf(585, 590).map(reportOf));
    }
  });
});

describe("the fitness of several agents", () => {
  /** Reports of two members. Both fail in the first generation, and the first member in the second. */
  const reportOfTeams = (generation: number): GenerationReport => {
    const report = generationReport(generation, [3 * generation, 5 * generation]);
    const agents = (own: number) => ({ agent_fitness: { a_0: own, b_0: -own } });
    const members = report.members.map((member, slot) =>
      generation === 1 || (generation === 2 && slot === 0)
        ? member
        : { ...member, ...agents(10 * generation + slot) },
    );
    return { ...report, members };
  };
  const told = (generation: number): HistoryEvent => ({
    type: "generation",
    report: reportOfTeams(generation),
  });

  it("is kept in columns, with gaps where members failed, and cut with them", () => {
    const history = new RunHistory();
    for (const generation of [1, 2, 3]) history.add(told(generation));
    const of = (a: number) => ({ agent_fitness: { a_0: a, b_0: -a } });
    const known = [1, 2, 3].map(() => [of(Number.NaN), of(Number.NaN)]);
    known[1] = [of(Number.NaN), of(21)];
    known[2] = [of(30), of(31)];
    expect(history.rows().map(({ members }) => members)).toEqual(known);
    history.add({ type: "resumed", generation: 2 });
    expect(history.rows().map(({ members }) => members)).toEqual(known.slice(0, 2));
  });

  it("gives all generations in order, with the numbers alone of those whose reports are lost", async () => {
    const store = newStore();
    const { id } = await store.createRun({ name: "A", manifest: {} });
    const history = new RunHistory();
    const events = withinMemory(rangeOf(1, 70).map(told), 3);
    for (const event of events) history.add(event);
    const all = [];
    for await (const report of allReports(store, id, history)) all.push(report);
    expect(all.map(({ generation }) => generation)).toEqual(rangeOf(1, 70));
    expect(all.slice(67)).toEqual([68, 69, 70].map((g) => (told(g) as { report: unknown }).report));
    const shape = { members: 2, metrics: [], hyperparameters: [], agents: ["a_0"] };
    const row = metricRow(shape, all[49] as GenerationRow);
    const full = metricRow(shape, (told(50) as { report: GenerationReport }).report);
    const kept = Object.keys(full).filter((key) => /fitness|global_step/.test(key));
    expect(kept.map((key) => row[key])).toEqual(kept.map((key) => full[key]));
    expect(row["train/agent_0/local_steps"]).toBeNaN();
  });

  it("comes back from rows that stand for reports", () => {
    const [history, again] = [new RunHistory(), new RunHistory()];
    for (const generation of [1, 2, 3]) history.add(told(generation));
    for (const event of withinMemory([1, 2, 3].map(told), 0)) again.add(JSON.parse(JSON.stringify(event)));
    expect(again.held).toBe(0);
    expect(again.rows()).toEqual(history.rows());
  });

  it("is none in runs of one agent, and in logs from before it was told", () => {
    const history = new RunHistory();
    history.add(toldOf(1));
    history.add({
      type: "past",
      generations: [{ generation: 2, global_step: 9, seconds: 1, fitnesses: [1, 2, 3, 4] }],
    });
    for (const row of history.rows()) expect(row).not.toHaveProperty("members");
  });
});

describe("completions in the history of a run", () => {
  const told = (generation: number): HistoryEvent => ({
    type: "completions",
    report: completionsReport(generation),
  });
  const kept = ({ completions }: RunHistory) => completions.map(({ generation }) => generation);

  it("are for the log once, the latest only", () => {
    const history = new RunHistory();
    expect(history.completionsToLog()).toBeNull();
    for (const generation of [1, 2, 3]) history.add(told(generation));
    expect(history.completionsToLog()).toEqual(told(3));
    expect(history.completionsToLog()).toBeNull();
    history.add(told(4));
    expect(history.completionsToLog()).toEqual(told(4));
    expect(kept(history)).toEqual([1, 2, 3, 4]);
  });

  it("are there again when the log is read, and not written to it a second time", async () => {
    const store = newStore();
    const { id } = await store.createRun({ name: "A", manifest: {} });
    await store.appendLog(id, [told(2), toldOf(2), told(5), toldOf(5)]);
    const history = await readAgain(store, id);
    expect(kept(history)).toEqual([2, 5]);
    expect(history.completionsToLog()).toBeNull();
  });

  it("are dropped from where a run goes on, and told again", () => {
    const history = new RunHistory();
    for (const generation of [1, 2, 3]) history.add(told(generation));
    history.completionsToLog();
    history.add({ type: "resumed", generation: 1 });
    expect(kept(history)).toEqual([1]);
    history.add(told(2));
    expect(history.completionsToLog()).toEqual(told(2));
  });

  it("are in a new log where the old one is gone", () => {
    const history = new RunHistory();
    history.add(toldOf(1));
    history.add(told(1));
    history.completionsToLog();
    expect(history.retold()).toContainEqual(told(1));
  });
});
