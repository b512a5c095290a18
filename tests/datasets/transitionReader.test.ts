/** Transitions read in blocks and hashed field by field, against all of them at once. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { datasetOf } from "../../src/datasets/index.ts";
import { REPLAY_FIELDS } from "../../src/rl/programs.ts";
import { Box, Discrete } from "../../src/rl/spaces.ts";
import { sha256Hasher } from "../../src/storage/files.ts";

const WIDTH = 64;

/** Rows of WIDTH numbers, two of three cut. */
function wide(rows: number, cuts: readonly number[] = []) {
  const data = datasetOf({
    observations: Float32Array.from({ length: rows * WIDTH }, (_, i) => i % 100_003),
    actions: Int32Array.from({ length: rows }, (_, i) => i % 3),
    rewards: Float32Array.from({ length: rows }, (_, i) => i),
    terminals: Uint8Array.from({ length: rows }, (_, i) => (i % 50 === 49 ? 1 : 0)),
    timeouts: Uint8Array.from({ length: rows }, (_, i) => (cuts.includes(i) ? 1 : 0)),
  });
  const observation_space = new Box({ low: 0, high: 1e6, shape: [WIDTH] });
  return { data, layout: { observation_space, action_space: new Discrete(3) } };
}

it("blocks are a few megabytes each, and together all rows", async () => {
  const { data, layout } = wide(40_000);
  const reader = data.reader(layout, 38_000);
  const { rows, count } = await reader.whole();
  expect(count).toBe(38_000);
  let at = 0;
  const sizes: number[] = [];
  for await (const block of reader.blocks()) {
    for (const name of REPLAY_FIELDS) {
      const width = rows[name].length / count;
      const expected = rows[name].subarray(at * width, (at + block.count) * width);
      expect(block.rows[name]).toEqual(expected);
    }
    sizes.push(Object.values(block.rows).reduce((sum, { byteLength }) => sum + byteLength, 0));
    at += block.count;
  }
  expect(at).toBe(count);
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2 ** 23);
});

it("the hash is that of all rows, field after field, and its words are heard in order", async () => {
  const row = fc.integer({ min: 0, max: 59 });
  await fc.assert(
    fc.asyncProperty(fc.array(row), fc.integer({ min: 1, max: 70 }), async (cuts, most) => {
      const { data, layout } = wide(60, cuts);
      const reader = data.reader(layout, most);
      const { rows, count } = await reader.whole();
      const hasher = sha256Hasher();
      for (const name of REPLAY_FIELDS) hasher.update(new Uint8Array(rows[name].slice().buffer));
      const heard = new Map<string, number[]>();
      const found = await reader.sha256((name, words) =>
        heard.set(name, [...(heard.get(name) ?? []), ...words]),
      );
      expect(found).toBe(hasher.digest());
      expect(count).toBeLessThanOrEqual(most);
      for (const name of REPLAY_FIELDS) expect(heard.get(name)).toEqual([...rows[name]]);
    }),
    { numRuns: 30 },
  );
});
