/** Rows that share prompts, wait and return: each has the logits that it has alone. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { WasmDevice } from "../../../../src/kernels/index.ts";
import { LLM_ALGORITHMS } from "../../../../src/llm/algorithms/registry.ts";
import { POSITIONS, tinyAgent, VOCABULARY } from "../support/agents.ts";

const { core } = tinyAgent({ algorithm: LLM_ALGORITHMS.SFT, device: new WasmDevice() });
const ids = fc.array(fc.integer({ min: 0, max: VOCABULARY - 1 }), { minLength: 1, maxLength: 9 });

/** Prompts, some of which are equal, and tokens that follow in rounds in which few rows take part. */
const games = fc.integer({ min: 1, max: 9 }).chain((rows) =>
  fc.record({
    prompts: fc
      .tuple(ids, ids, ids)
      .chain((some) => fc.array(fc.constantFrom(...some), { minLength: rows, maxLength: rows })),
    rounds: fc.array(
      fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, ids), {
        minLength: rows,
        maxLength: rows,
      }),
      { maxLength: 4 },
    ),
  }),
);

it("gives each row the logits that it has alone, to the bit", async () => {
  await fc.assert(
    fc.asyncProperty(games, async ({ prompts, rounds }) => {
      const all = [prompts, ...rounds];
      const fits = (row: number) => all.reduce((length, round) => length + (round[row]?.length ?? 0), 0);
      fc.pre(prompts.every((_, row) => fits(row) <= POSITIONS));
      const together = await core.decoding(prompts.length, POSITIONS);
      const found: (readonly Float32Array[])[] = [];
      for (const round of all) found.push(await together.extend(round));
      for (const row of prompts.keys()) {
        expect(together.length(row)).toBe(fits(row));
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
