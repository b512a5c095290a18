/** The data that workbench runs send to trackers, and its downloads. */
import { afterEach, describe, expect, it } from "vitest";
import { evolutionSections, parseManifestObject } from "../../src/manifests/index.ts";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { evolutionOf, metricColumns, metricRow } from "../../src/tracking/history.ts";
import type { TrackerChoice } from "../../src/workers/protocol.ts";
import { FakeMlflow, type FakeServer, FakeWandb, fakeServer } from "../tracking/fakeServer.ts";
import { readEvents } from "../tracking/readEvents.ts";
import { tinyDqn } from "./support/manifests.ts";
import { TestWorkbench, type WorkbenchOptions } from "./support/workbench.ts";

const KEY = "f3a9c0d2b7e14588a6c1d0e9b4f72365aabbccdd";
const SEED = 3;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function workbench(options: WorkbenchOptions = {}): Promise<TestWorkbench> {
  const bench = await new TestWorkbench(options).open();
  closing.push(() => bench.close());
  return bench;
}

async function server(answer: Parameters<typeof fakeServer>[0]): Promise<FakeServer> {
  const made = await fakeServer(answer);
  closing.push(() => made.close());
  return made;
}

const choice = (service: TrackerChoice["service"], { address }: FakeServer): TrackerChoice => ({
  service,
  address,
  key: KEY,
});

/** The contents of all files in a store, as text. */
async function textsOf(store: FileStore, dir = ""): Promise<string[]> {
  const texts: string[] = [];
  for (const { name, kind } of await store.list(dir)) {
    const path = dir === "" ? name : `${dir}/${name}`;
    if (kind === "directory") texts.push(...(await textsOf(store, path)));
    else texts.push(Buffer.from(await store.read(path)).toString("latin1"));
  }
  return texts;
}

/** Resolves when the run and its trackers have ended. */
async function ended(bench: TestWorkbench, id: string): Promise<void> {
  await bench.until((e) => e.run === id && e.kind === "state" && e.state === "finished");
  await bench.coordinator.stop(id);
}

const SHAPE = {
  members: 3,
  metrics: ["loss", "q_mean", "td_error", "grad_norm", "epsilon", "replay_fill"],
  hyperparameters: ["lr"],
};

describe("downloads", () => {
  it("are the rows that trackers are told, of a run in memory and of one on disk", async () => {
    const files = memoryFileStore();
    const bench = await workbench({ files });
    const id = await bench.trainToEnd(tinyDqn(), SEED);
    const reports = await bench.reportsOf(id);
    const { mutation } = evolutionSections(parseManifestObject(tinyDqn()));
    const rows = reports.map((report, at) => {
      const evolution = evolutionOf(reports.slice(0, at + 1), mutation?.rl_hp_selection);
      return metricRow(SHAPE, { ...report, evolution });
    });
    const keys = Object.keys(Object.assign({}, ...rows));
    const next = await workbench({ files });
    for (const { coordinator } of [bench, next]) {
      const csv = await coordinator.downloadMetrics(id);
      expect([csv.name, csv.type]).toEqual(["CartPole-v1-DQN-metrics.csv", "text/csv"]);
      const [header, ...lines] = new TextDecoder().decode(csv.bytes).trimEnd().split("\r\n");
      expect(header).toBe(keys.join(","));
      expect(keys.slice(0, metricColumns(SHAPE).length)).toEqual(metricColumns(SHAPE));
      const numbers = lines.map((line) =>
        line.split(",").map((cell) => (cell === "" ? Number.NaN : Number(cell))),
      );
      expect(numbers).toEqual(rows.map((row) => keys.map((key) => row[key] ?? Number.NaN)));

      const file = await coordinator.downloadEvents(id);
      expect(file.name).toMatch(/^events\.out\.tfevents\.\d+\.rlkit\.\d+$/);
      const [version, ...events] = readEvents(file.bytes);
      expect(version?.file_version).toBe("brain.Event:2");
      expect(events.map(({ step }) => step)).toEqual(reports.map(({ global_step }) => global_step));
      const asFloats = rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Math.fround(value)])),
      );
      expect(events.map(({ scalars }) => scalars)).toEqual(asFloats);
      const { summary } = await coordinator.snapshot(id);
      const seconds = reports.reduce((sum, report) => sum + report.seconds, 0);
      expect(events.at(-1)?.wall_time).toBeCloseTo(summary.created_at / 1000 + seconds, 3);
    }
  });
});

describe("a tracked run", () => {
  it("is told to MLflow, on after a resume, and its key is written nowhere", async () => {
    const mlflow = new FakeMlflow();
    const own = await server((asked) => mlflow.answer(asked));
    const bench = await workbench();
    const { coordinator } = bench;
    const tracker = choice("mlflow", own);
    const id = await coordinator.start(tinyDqn({ max_steps: 1024 }), {
      seed: SEED,
      name: "tracked",
      tracker,
    });
    await bench.untilGeneration(id, 2);
    await coordinator.stop(id);
    const first = mlflow.metrics.get("train/global_step")?.length ?? 0;
    expect(first).toBeGreaterThanOrEqual(2);
    await coordinator.resume(id);
    await ended(bench, id);
    const { length } = bench.events.filter((e) => e.kind === "generation");
    expect(mlflow.metrics.get("train/global_step")).toHaveLength(length);
    expect(mlflow.status).toBe("FINISHED");
    expect(mlflow.params.get("algorithm")).toContain("DQN");
    expect(new Set(own.asked.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${KEY}`]));

    const told = [bench.events, await coordinator.snapshot(id), await coordinator.listRuns()];
    const texts = [
      ...(await textsOf(bench.files)),
      JSON.stringify(told),
      ...own.asked.map(({ body }) => body),
    ];
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => text.includes(KEY))).toEqual([]);
  });

  it("goes on in the same run of Weights & Biases", async () => {
    const wandb = new FakeWandb();
    const own = await server((asked) => wandb.answer(asked, KEY));
    const bench = await workbench();
    const { coordinator } = bench;
    const options = { seed: SEED, tracker: choice("wandb", own) };
    const id = await coordinator.start(tinyDqn({ max_steps: 1024 }), options);
    await bench.untilGeneration(id, 1);
    await coordinator.stop(id);
    wandb.known = id;
    expect(wandb.exit).toBe(0);
    await coordinator.resume(id);
    await ended(bench, id);
    expect(wandb.variables.map(({ name }) => name)).toEqual([id, id]);
    const { length } = bench.events.filter((e) => e.kind === "generation");
    expect(wandb.rows.map(({ _step }) => _step)).toEqual(Array.from({ length }, (_, i) => i));
  });

  it("ends with the bits of one that is not tracked", async () => {
    const own = await server(() => ({ status: 503 }));
    const [calm, bench] = [await workbench(), await workbench()];
    const expected = await calm.outcome(await calm.trainToEnd(tinyDqn(), SEED));
    const id = await bench.coordinator.start(tinyDqn(), { seed: SEED, tracker: choice("mlflow", own) });
    await bench.until((e) => e.kind === "state" && e.state === "finished");
    expect(await bench.outcome(id)).toEqual(expected);
    const warned = bench.events.flatMap((e) => (e.kind === "notice" ? [e.notice.message] : []));
    expect(warned).toContainEqual(expect.stringMatching(/^wb: .* answered 503; rows are queued/));
  });

  it("is not begun, nor kept, with a key that the server refuses", async () => {
    const own = await server(() => ({ status: 403 }));
    const { coordinator } = await workbench();
    const start = coordinator.start(tinyDqn(), { tracker: choice("mlflow", own) });
    const error: unknown = await start.catch((refusal: unknown) => refusal);
    expect(String(error)).toMatch(/tracker_api_key: the server refuses/);
    expect(String(error)).not.toContain(KEY);
    expect(await coordinator.listRuns()).toEqual([]);
  });

  it("is ended there when it cannot be begun here", async () => {
    const wandb = new FakeWandb();
    const own = await server((asked) => wandb.answer(asked, KEY));
    const makeExecutor = () => {
      throw new Error("no threads");
    };
    const { coordinator } = await workbench({ makeExecutor });
    await expect(coordinator.start(tinyDqn(), { tracker: choice("wandb", own) })).rejects.toThrow(
      "no threads",
    );
    expect(wandb.exit).toBe(1);
    expect(await coordinator.listRuns()).toEqual([]);
  });

  it.each([
    [{ address: "ftp://x" }, /^tracker\.address: found "ftp:\/\/x", allowed an http or https address/],
    [{ address: `http://u:${KEY}@x` }, /^tracker\.address: has a user or a password/],
    [{ service: "neptune" }, /^tracker\.service: /],
    [{ key: 1 }, /^tracker\.key: /],
    [{ key: `${KEY}\n` }, /^tracker_api_key: contains spaces, line breaks or other characters/],
  ])("is not begun with %o", async (wrong, message) => {
    const { coordinator } = await workbench();
    const tracker = { service: "mlflow", address: "http://127.0.0.1:1", key: KEY, ...wrong } as TrackerChoice;
    const error = await coordinator.start(tinyDqn(), { tracker }).catch((refusal: Error) => refusal);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain(KEY);
  });
});
