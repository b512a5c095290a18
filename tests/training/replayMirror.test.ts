import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReplayBuffer } from "../../src/rl/buffers/index.ts";
import { Box, Discrete, type Space, Tuple } from "../../src/rl/spaces/index.ts";
import { ReplayMirror } from "../../src/training/rl/ReplayMirror.ts";

describe("ReplayMirror", () => {
  const box = (size: number, dtype: "float32" | "uint8") =>
    new Box({ low: 0, high: 255, shape: [size], dtype });
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

  /** A memory's segment of so many rows of 64 numbers. */
  const large = (count: number) => {
    const source = new ReplayBuffer({ max_size: count });
    const layout = { observation_space: box(64, "float32"), action_space: new Discrete(2) };
    source.configure(layout);
    const rows = source.read({ slot: 0, start: 0, count });
    rows.ended.forEach((_, row) => void (rows.ended[row] = row));
    return { slot: 1, start: 0, count, rows };
  };

  it("keeps a data set as it was given, without a copy", () => {
    const mirror = new ReplayMirror({ segment: 20, fixed: true });
    const given = large(10);
    mirror.store([given]);
    expect(mirror.contents()).toEqual([given]);
    expect(mirror.contents()[0]?.rows.obs).toBe(given.rows.obs);
  });

  it("gives parts of some megabytes, in order", () => {
    const count = 40_000;
    const mirror = new ReplayMirror({ segment: count, fixed: true });
    const given = large(count);
    mirror.store([given]);
    const parts = [...mirror.parts()];
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(({ start }) => start)).toEqual(
      parts.map((_, i) => parts.slice(0, i).reduce((sum, part) => sum + part.count, 0)),
    );
    const rows = new Float32Array(count);
    for (const part of parts) {
      // What crosses threads takes the whole of a view's buffer with it.
      expect(part.rows.obs.buffer.byteLength).toBe(part.rows.obs.byteLength);
      expect(part.rows.obs.byteLength).toBeLessThan(2 ** 23);
      rows.set(part.rows.ended, part.start);
    }
    expect(rows).toEqual(given.rows.ended);
  });
});
