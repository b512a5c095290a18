/** Rows that share prompts, wait and return: each has the logits that it has alone. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { WasmDevice } from "../../../../src/kernels/index.ts";
import { cacheCapacity } from "../../../../src/llm/agents/cacheCapacity.ts";
import { LLM_ALGORITHMS } from "../../../../src/llm/algorithms/registry.ts";
import { POSITIONS, tinyAgent } from "../support/agents.ts";
import { fits, games, lengthOf } from "../support/games.ts";

const { core } = tinyAgent({ algorithm: LLM_ALGORITHMS.SFT, device: new WasmDevice() });
it("gives each row the logits that it has alone in a cache of another size, to the bit", async () => {
  await fc.assert(
    fc.asyncProperty(games, async ({ prompts, rounds }) => {
      const all = [prompts, ...rounds];
      fc.pre(fits(all));
      const together = await core.decoding(prompts.length, POSITIONS);
      const found: (readonly Float32Array[])[] = [];
      for (const round of all) found.push(await together.extend(round));
      for (const row of prompts.keys()) {
        expect(together.length(row)).toBe(lengthOf(all, row));
        // No bits depend on the size of the cache.
        const alone = await core.decoding(1, Math.max(lengthOf(all, row), POSITIONS - 5));
        for (const [i, round] of all.entries()) {
          const fresh = round[row] ?? [];
          const expected = fresh.length > 0 ? (await alone.extend([fresh]))[0] : new Float32Array();
          expect(found[i]?.[row]).toEqual(expected);
        }
      }
    }),
    { numRuns: 60 },
  );
});

it("has caches for the longest sequences so far, whose capacities are few", () => {
  expect([1, 64, 65, 200, 300, 900].map((tokens) => cacheCapacity(tokens, 300))).toEqual([
    64, 64, 128, 256, 300, 300,
  ]);
  expect(cacheCapacity(3, 20)).toBe(20);
});

it("replaces a cache by a larger one of as many rows", async () => {
  const device = new WasmDevice();
  const agent = tinyAgent({ algorithm: LLM_ALGORITHMS.SFT, device });
  const small = await agent.core.decoding(4, 8);
  const [before, bytes] = [device.bytes, small.bytes];
  const large = await agent.core.decoding(4, 16);
  expect(large.bytes).toBeGreaterThan(1.5 * bytes);
  expect(device.bytes).toBe(before - bytes + large.bytes);
  expect(await agent.core.decoding(4, 16)).toBe(large);
  agent.close();
});
