import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32c, type FileStore, memoryFileStore, StorageError } from "../../../src/storage/index.ts";
import { maskedCrc, rowRecord, startRecord, versionRecord } from "../../../src/tracking/board/eventRecord.ts";
import { BoardTracker } from "../../../src/tracking/clients.ts";
import { readEvents, readRecords } from "../readEvents.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex");

const started = new Date(2026, 10, 22, 9, 5, 7).getTime();
const board = (store: FileStore, more: Partial<ConstructorParameters<typeof BoardTracker>[0]> = {}) =>
  new BoardTracker({ store, algorithm: "DQN", environment: "rlkit/probe-v0", started, ...more });

/** The run's event file. */
async function eventsOf(store: FileStore, tracker: BoardTracker): Promise<Uint8Array> {
  const files = await store.list(tracker.directory);
  return await store.read(`${tracker.directory}/${files.at(-1)?.name}`);
}

describe("event files", () => {
  it("have checks as TFRecord masks them", () => {
    expect(crc32c(bytes("123456789")).toString(16)).toBe("e3069283");
    const crc = 0xe3069283;
    const rotated = ((crc >>> 15) | (crc << 17)) >>> 0;
    expect(maskedCrc(bytes("123456789"))).toBe((rotated + 0xa282ead8) % 2 ** 32);
  });

  it("are these bytes", () => {
    // wall_time 1.5 (fixed64), file_version.
    const version = `09000000000000f83f1a0d${hex(bytes("brain.Event:2"))}`;
    expect(hex((readRecords(versionRecord(1.5))[0] as Uint8Array).slice())).toBe(version);
    // step 300 as a varint, a summary of one value: tag "a", simple_value 0.5.
    const row = "09000000000000f83f10ac022a0a0a080a0161150000003f";
    expect(hex((readRecords(rowRecord(1.5, 300, { a: 0.5 }))[0] as Uint8Array).slice())).toBe(row);
    const start = "09000000000000f83f10073a020801";
    expect(hex((readRecords(startRecord(1.5, 7))[0] as Uint8Array).slice())).toBe(start);
  });

  it("have counts as histograms, a bucket for each choice", () => {
    const record = rowRecord(1.5, 300, { a: 0.5 }, { "train/agent_0/action_dist": [0, 3, 2] });
    const [event] = readEvents(record);
    expect(event?.scalars).toEqual({ a: 0.5 });
    expect(event?.histograms).toEqual({
      "train/agent_0/action_dist": {
        min: 1,
        max: 2,
        num: 5,
        sum: 7,
        sum_squares: 11,
        bucket_limit: [0.5, 1.5, 2.5],
        bucket: [0, 3, 2],
      },
    });
  });

  it("say what they were told", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1 }), fc.float(), { minKeys: 1 }),
        fc.nat(2 ** 31 - 1),
        fc.double({ min: 0, max: 4e9, noNaN: true }),
        (row, step, wall_time) => {
          const [event] = readEvents(rowRecord(wall_time, step * 1024, row));
          expect(event).toEqual({ wall_time, step: step * 1024, scalars: { ...row } });
        },
      ),
      { numRuns: 200 },
    );
  });

  it("keep the others when the last record is cut anywhere", () => {
    const whole = [versionRecord(1), rowRecord(2, 10, { a: 1 }), rowRecord(3, 20, { a: 2 })];
    const kept = Buffer.concat(whole.slice(0, 2));
    const last = whole[2] as Uint8Array;
    for (let cut = 0; cut < last.length; cut++)
      expect(readEvents(Buffer.concat([kept, last.subarray(0, cut)]))).toHaveLength(2);
  });
});

describe("the board", () => {
  it("writes a file in a directory of its own, from its first record on", async () => {
    const store = memoryFileStore();
    const tracker = board(store, { board_log_dir: "logs" });
    await tracker.open();
    tracker.row({ "train/global_step": 100, "eval/best_fitness": Number.NaN }, 100);
    await tracker.close();
    expect(tracker.directory).toBe("logs/DQN-rlkit-probe-v0-11222026090507");
    const [entry] = await store.list(tracker.directory);
    expect(entry?.name).toMatch(/^events\.out\.tfevents\.\d+\.[^.]+\.\d+$/);
    const [version, row, ...more] = readEvents(await eventsOf(store, tracker));
    expect(version?.file_version).toBe("brain.Event:2");
    expect(row).toMatchObject({ step: 100, scalars: { "train/global_step": 100 } });
    expect(row?.scalars["eval/best_fitness"]).toBeNaN();
    expect(row?.wall_time).toBeGreaterThan(1.7e9);
    expect(more).toEqual([]);
  });

  it("says that a run goes on where events are already", async () => {
    const store = memoryFileStore();
    const first = board(store);
    await first.open();
    await first.close();
    expect(first.directory).toBe("board_logs/DQN-rlkit-probe-v0-11222026090507");
    const second = board(store);
    await second.open();
    second.row({ a: 1 }, 40);
    second.row({ a: 2 }, 50);
    await second.close();
    const events = readEvents(await eventsOf(store, second)).slice(-3);
    expect(events.map(({ session, step }) => [session, step])).toEqual([
      [1, 40],
      [undefined, 40],
      [undefined, 50],
    ]);
  });

  it("tells of a failure at once, and only once", async () => {
    const store = memoryFileStore();
    let full = false;
    const append: FileStore["append"] = (path, data) =>
      full ? Promise.reject(new StorageError("full", path, "no room")) : store.append(path, data);
    const failures: unknown[] = [];
    const failing = new Proxy(store, {
      get: (target, name) => (name === "append" ? append : Reflect.get(target, name).bind?.(target)),
    });
    const tracker = board(failing, { onFailure: (_tracker, error) => failures.push(error) });
    await tracker.open();
    tracker.row({ a: 1 }, 1);
    await tracker.close();
    full = true;
    tracker.row({ a: 2 }, 2);
    await expect(tracker.close()).rejects.toThrow("no room");
    tracker.row({ a: 3 }, 3);
    await expect(tracker.close()).rejects.toThrow("no room");
    expect(failures).toHaveLength(1);
    expect(readEvents(await eventsOf(store, tracker)).map(({ step }) => step)).toEqual([0, 1]);
  });
});
