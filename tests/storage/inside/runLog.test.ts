import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32c, memoryFileStore, type RunEvent, readRunLog } from "../../../src/storage/index.ts";
import { decodeFrames, encodeFrames } from "../../../src/storage/logFrames.ts";
import { RunLog } from "../../../src/storage/runLog.ts";

const event = (value: unknown): RunEvent & { readonly value: unknown } => ({ type: "test", value });
const valuesOf = (events: readonly { readonly event: Readonly<Record<string, unknown>> }[]): unknown[] =>
  events.map((logged) => logged.event.value);

describe("crc32c", () => {
  it.each([
    ["123456789", 0xe3069283],
    ["", 0],
  ])("of %j is the published value", (text, value) => {
    expect(crc32c(new TextEncoder().encode(text))).toBe(value);
  });

  it("of 32 zero and 32 one bytes is RFC 3720's", () => {
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
  });
});

describe("log frames", () => {
  it("have the documented layout", () => {
    const bytes = encodeFrames([{ type: "a" }], 258);
    const view = new DataView(bytes.buffer);
    expect(view.getUint32(0, true)).toBe(12);
    expect(view.getUint32(4, true)).toBe(crc32c(bytes.subarray(8)));
    expect(view.getBigUint64(8, true)).toBe(258n);
    expect(new TextDecoder().decode(bytes.subarray(16))).toBe('{"type":"a"}');
  });

  it("keep any JSON, and numbers that JSON has not", () => {
    const values = [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      1.5,
      null,
      "é",
      [{ x: Number.NaN }],
    ];
    expect(valuesOf(decodeFrames(encodeFrames(values.map(event), 0), 0).events)).toEqual(values);
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(), (json, first) => {
        const { events, problem } = decodeFrames(encodeFrames(json.map(event), first), 0);
        expect(problem).toBeNull();
        expect(events.map(({ seq }) => seq)).toEqual(json.map((_, index) => first + index));
        expect(JSON.stringify(valuesOf(events))).toBe(JSON.stringify(json));
      }),
    );
  });

  it("cut anywhere give the whole records before the cut", () => {
    const parts = [1, 22, 333].map((value, index) => encodeFrames([event(value)], index));
    const ends = parts.map((_, index) =>
      parts.slice(0, index + 1).reduce((sum, part) => sum + part.byteLength, 0),
    );
    const whole = encodeFrames([1, 22, 333].map(event), 0);
    for (let length = 0; length <= whole.byteLength; length++) {
      const read = decodeFrames(whole.subarray(0, length), 0);
      const good = ends.filter((end) => end <= length);
      expect(read.events).toHaveLength(good.length);
      expect(read.goodBytes).toBe(good.at(-1) ?? 0);
      expect(read.problem === null).toBe(read.goodBytes === length);
    }
  });

  it("with any changed byte give a leading part of the records and say so", () => {
    const values = [1, "two", { three: 3 }];
    const whole = encodeFrames(values.map(event), 7);
    fc.assert(
      fc.property(fc.nat(whole.byteLength - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const damaged = whole.slice();
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        const read = decodeFrames(damaged, 0);
        expect(read.problem).not.toBeNull();
        expect(valuesOf(read.events)).toEqual(values.slice(0, read.events.length));
      }),
    );
  });

  it("refuse sequence numbers that do not rise", () => {
    const twice = encodeFrames([event(1)], 4);
    const bytes = new Uint8Array([...twice, ...twice]);
    expect(decodeFrames(bytes, 0)).toMatchObject({
      goodBytes: twice.byteLength,
      problem: /record 4 .* 5 was expected/,
    });
    expect(decodeFrames(twice, 5).events).toEqual([]);
  });
});

describe("RunLog", () => {
  it("goes on after what a crash left, with the next number", async () => {
    const store = memoryFileStore();
    const { log } = await RunLog.open(store, "log");
    await log.append([event(1), event(2)]);
    await store.append("log/000001.seg", encodeFrames([event(3)], 2).subarray(0, 20));

    const before = await readRunLog(store, "log");
    expect(valuesOf(before.events)).toEqual([1, 2]);
    expect(before.problems).toEqual([expect.stringMatching(/truncated; the last 20 bytes/)]);

    const again = await RunLog.open(store, "log");
    expect(again.reading.problems).toHaveLength(1);
    await again.log.append([event(4)]);
    const after = await readRunLog(store, "log");
    expect(after.problems).toEqual([]);
    expect(after.events.map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(valuesOf(after.events)).toEqual([1, 2, 4]);
  });

  it("adds nothing where others deleted it, since that would pass for the whole log", async () => {
    const store = memoryFileStore();
    const { log } = await RunLog.open(store, "log");
    expect(await log.isWhole()).toBe(true);
    await log.append([event(1)]);
    expect(await log.isWhole()).toBe(true);
    await store.remove("log");
    expect(await log.isWhole()).toBe(false);
    for (let time = 0; time < 2; time++) {
      await expect(log.append([event(2)])).rejects.toMatchObject({ code: "changed", path: "log/000001.seg" });
    }
    expect(await log.isWhole()).toBe(false);
    expect((await readRunLog(store, "log")).events).toEqual([]);
  });

  it("starts a new part when one has grown, and keeps later parts when an earlier one is damaged", async () => {
    const store = memoryFileStore();
    const { log } = await RunLog.open(store, "log");
    const large = "x".repeat(600_000);
    for (const value of [large, large, "third", "fourth"]) await log.append([event(value)]);
    expect((await store.list("log")).map(({ name }) => name)).toEqual(["000001.seg", "000002.seg"]);

    const first = await store.read("log/000001.seg");
    first[first.byteLength - 1] = 0;
    await store.write("log/000001.seg", first);
    const { log: next, reading } = await RunLog.open(store, "log");
    expect(valuesOf(reading.events)).toEqual([large, "third", "fourth"]);
    await next.append([event("fifth")]);
    expect((await readRunLog(store, "log")).events.map(({ seq }) => seq)).toEqual([0, 2, 3, 4]);
  });
});
