/** Rows that share prompts, wait and return: each has the logits that it has alone. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { WasmDevice } from "../../../../src/kernels/index.ts";
import { LLM_ALGORITHMS } from "../../../../src/llm/algorithms/registry.ts";
import { POSITIONS, tinyAgent } from "../support/agents.ts";
import { fits, games, lengthOf } from "../support/games.ts";

const { core } = tinyAgent({ algorithm: LLM_ALGORITHMS.SFT, device: new WasmDevice() });
it("gives each row the logits that it has alone, to the bit", async () => {
  await fc.assert(
    fc.asyncProperty(games, async ({ prompts, rounds }) => {
      const all = [prompts, ...rounds];
      fc.pre(fits(all));
      const together = await core.decoding(prompts.length, POSITIONS);
      const found: (readonly Float32Array[])[] = [];
      for (const round of all) found.push(await together.extend(round));
      for (const row of prompts.keys()) {
        expect(together.length(row)).toBe(lengthOf(all, row));
        const alone = await core.decoding(1, POSITIONS);
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
