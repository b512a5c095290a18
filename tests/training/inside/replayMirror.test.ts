import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReplayBuffer } from "../../../src/agents/classes.ts";
import { Box, Discrete, type Space, Tuple } from "../../../src/rl/spaces.ts";
import { ReplayMirror, writtenParts } from "../../../src/training/rl/ReplayMirror.ts";

const box = (size: number, dtype: "float32" | "uint8") =>
  new Box({ low: 0, high: 255, shape: [size], dtype });

describe("ReplayMirror", () => {
  it.each<[string, Space]>([
    ["numbers", box(5, "float32")],
    ["bytes", box(5, "uint8")],
    ["both", new Tuple([box(2, "float32"), box(3, "uint8")])],
  ])("holds what segments of %s were written", (_what, observation_space) => {
    const part = fc.record({ slot: fc.nat(1), start: fc.nat(4), count: fc.integer({ min: 1, max: 5 }) });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const memory = new ReplayBuffer({ max_size: 10 });
        memory.configure({ observation_space, action_space: new Discrete(3) }, 2);
        const mirror = new ReplayMirror({ segment: 5 });
        for (const [i, range] of parts.entries()) {
          const source = new ReplayBuffer({ max_size: 5 });
          source.configure({ observation_space, action_space: new Discrete(3) });
          for (let row = 0; row < range.count; row++) {
            const obs = [0, 1, 2, 3, 4].map((j) => (40 * i + 7 * row + j) % 256);
            source.add({ obs, action: row % 3, reward: i, next_obs: obs, done: row === 2 });
          }
          const rows = source.read({ slot: 0, start: 0, count: range.count });
          memory.write({ ...range, rows });
          mirror.store([{ ...range, rows }]);
        }
        const slots = new Set(parts.map(({ slot }) => slot));
        expect(new Set(mirror.contents().map(({ slot }) => slot))).toEqual(slots);
        for (const { slot, start, count, rows } of mirror.contents()) {
          expect([start, count]).toEqual([0, 5]);
          expect(rows).toEqual(memory.segments[slot]);
        }
        expect([...mirror.parts()]).toEqual(mirror.contents());
      }),
      { numRuns: 50 },
    );
  });
});

it("transitions are cut into parts of some megabytes, in order", () => {
  const count = 40_000;
  const source = new ReplayBuffer({ max_size: count });
  source.configure({ observation_space: box(64, "float32"), action_space: new Discrete(2) });
  const rows = source.read({ slot: 0, start: 0, count });
  rows.ended.forEach((_, row) => void (rows.ended[row] = row));
  const parts = [...writtenParts([{ slot: 1, start: 10, count, rows }], count)];
  expect(parts.length).toBeGreaterThan(2);
  let row = 0;
  for (const part of parts) {
    expect([part.slot, part.start]).toEqual([1, row + 10]);
    // What crosses threads takes the whole of a view's buffer with it.
    expect(part.rows.obs.buffer.byteLength).toBe(part.rows.obs.byteLength);
    expect(part.rows.obs.byteLength).toBeLessThan(2 ** 23);
    expect(part.rows.ended).toEqual(rows.ended.slice(row, row + part.count));
    row += part.count;
  }
  expect(row).toBe(count);
});
