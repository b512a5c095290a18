/** Trackers of a run: the same rows everywhere, the same bits without them, and no end of training when they fail. */
import { describe, expect, it } from "vitest";
import { type FileStore, memoryFileStore, StorageError } from "../../src/storage/index.ts";
import type { TrainingEvent } from "../../src/training/index.ts";
import { LocalTrainer } from "../../src/training/index.ts";
import { readEvents } from "../tracking/readEvents.ts";
import { dqn, EVOLUTION, trained } from "./support/tiny.ts";

const options = () => dqn({ ...EVOLUTION, seed: 3 });
const CSV = { csv: true, csv_log_dir: "metrics.csv" } as const;

async function filesOf(store: FileStore) {
  const [run] = await store.list("board_logs");
  const [events] = await store.list(`board_logs/${run?.name}`);
  const csv = new TextDecoder().decode(await store.read("metrics.csv"));
  return {
    events: readEvents(await store.read(`board_logs/${run?.name}/${events?.name}`)).slice(1),
    rows: csv
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(",")),
  };
}

describe("a run with trackers", () => {
  it("tells each of them every generation, and ends with the same bits", async () => {
    const store = memoryFileStore();
    const reports: TrainingEvent[] = [];
    const trainer = new LocalTrainer({ ...options(), store });
    const observer = { on: (event: TrainingEvent) => void reports.push(event) };
    const [population] = await trainer.train({ verbose: false, board: true, ...CSV, observer });
    const generations = reports.filter((event) => event.event === "generation");
    expect(generations.length).toBeGreaterThan(1);

    const { events, rows } = await filesOf(store);
    const [header = [], ...body] = rows;
    expect(events.map(({ step }) => step)).toEqual(generations.map(({ global_step }) => global_step));
    expect(body).toHaveLength(generations.length);
    for (const [i, line] of body.entries()) {
      const { scalars = {} } = events[i] ?? {};
      // Columns of a kind of mutation begin where the kind first occurs.
      const keys = i === body.length - 1 ? header : header.filter((key) => key in scalars);
      expect(Object.keys(scalars)).toEqual(keys);
      for (const key of header.filter((name) => !(name in scalars)))
        expect(key).toMatch(/^evolution\/\w+\/(number|gains?|gain_low|gain_high|survival)$/);
      for (const [column, key] of header.entries()) {
        const told = scalars[key] ?? Number.NaN;
        const text = line[column];
        expect(text === "" ? Number.NaN : Math.fround(Number(text))).toBe(told);
      }
    }
    expect(header).toContain("train/agent_1/loss");
    expect(header).toContain("train/agent_0/lr");
    expect(header).not.toContain("train/agent_0/tau");

    const told = generations.map(({ members }) =>
      members.map(({ histograms }) => histograms?.action_dist ?? []),
    );
    expect(
      events.map(({ histograms }) => Object.values(histograms ?? {}).map(({ bucket }) => bucket)),
    ).toEqual(told);
    // 160 steps a generation, all of which the memory still holds.
    for (const counts of told.flat())
      expect([counts.length, counts.reduce((sum, count) => sum + count, 0)]).toEqual([2, 160]);
    expect(told.flat().every((counts) => counts.every((count) => count > 0))).toBe(true);

    const alone = await trained(options());
    expect(population.map(({ state }) => state)).toEqual(alone.population.map(({ state }) => state));
  });

  it("keeps the rows before the checkpoint that it goes on from, and adds those after it once", async () => {
    const store = memoryFileStore();
    const train = async (max_steps: number, from: object) => {
      const training = { ...options().training, max_steps };
      const trainer = new LocalTrainer({ ...options(), training, store, ...from });
      await trainer.train({ verbose: false, ...CSV, checkpoint_steps: 1, checkpoint_path: "run" });
      return new TextDecoder()
        .decode(await store.read("metrics.csv"))
        .trimEnd()
        .split("\r\n");
    };
    const steps = (lines: readonly string[]) => lines.slice(1).map((line) => Number(line.split(",")[0]));
    const first = await train(480, {});
    expect(steps(first)).toEqual([320, 640, 960]);
    const again = await train(480, { resume_from_checkpoint: "run_640" });
    expect(steps(again)).toEqual([320, 640, 960]);
    expect(again.slice(1, 3)).toEqual(first.slice(1, 3).map((line) => expect.stringContaining(line)));
    expect(steps(await train(640, { resume_from_checkpoint: "run_960" }))).toEqual([320, 640, 960, 1280]);
    expect(steps(await train(320, {}))).toEqual([320, 640]);
  });

  it("goes on when the disk is full, with one warning for each", async () => {
    const inner = memoryFileStore();
    let appends = 0;
    const store: FileStore = new Proxy(inner, {
      get: (target, name) => {
        if (name !== "append") return Reflect.get(target, name);
        return (path: string, bytes: Uint8Array) =>
          ++appends > 4
            ? Promise.reject(new StorageError("full", path, "the disk is full"))
            : inner.append(path, bytes);
      },
    });
    const warnings: string[] = [];
    const observer = {
      on: (event: TrainingEvent) => {
        if (event.event === "warning") warnings.push(event.message);
      },
    };
    const trainer = new LocalTrainer({ ...options(), store });
    const [population] = await trainer.train({ verbose: false, board: true, ...CSV, observer });
    expect(population).toHaveLength(2);
    const told = warnings.filter((message) => /^(board|csv): /.test(message));
    expect(new Set(told.map((message) => message.split(":")[0]))).toEqual(new Set(["board", "csv"]));
    expect(told).toHaveLength(2);
    for (const message of told) expect(message).toMatch(/disk is full.*Training continues/s);
    const { events, rows } = await filesOf(inner);
    expect(events.length + rows.length).toBeGreaterThan(1);
  });

  it("does not start where the CSV file is a directory", async () => {
    const store = memoryFileStore();
    await store.write("metrics.csv/old", new Uint8Array(1));
    const trainer = new LocalTrainer({ ...options(), store });
    await expect(trainer.train({ verbose: false, ...CSV })).rejects.toThrow(
      /^csv_log_dir: found the directory/,
    );
  });
});
