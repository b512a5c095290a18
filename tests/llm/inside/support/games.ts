/** Prompts and the tokens that follow them, for sequences that grow in parallel. */
import fc from "fast-check";
import { POSITIONS, VOCABULARY } from "./agents.ts";

const ids = fc.array(fc.integer({ min: 0, max: VOCABULARY - 1 }), { minLength: 1, maxLength: 9 });

/** Prompts, some of which are equal, and tokens that follow in rounds in which few rows take part. */
export const games = fc.integer({ min: 1, max: 9 }).chain((rows) =>
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

/** Tokens of a row after all rounds. */
export const lengthOf = (rounds: readonly (readonly (readonly number[])[])[], row: number): number =>
  rounds.reduce((length, round) => length + (round[row]?.length ?? 0), 0);

export const fits = (rounds: Parameters<typeof lengthOf>[0]): boolean =>
  (rounds[0] ?? []).every((_, row) => lengthOf(rounds, row) <= POSITIONS);
