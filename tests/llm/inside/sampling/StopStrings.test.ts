/** Where a completion ends by its text, compared with the text of every prefix. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { StopStrings } from "../../../../src/llm/sampling/StopStrings.ts";
import type { Tokenizer } from "../../../../src/llm/tokenizers/Tokenizer.ts";

/** Texts of tokens: one, two or no characters, and the parts of "€" and of "😀". */
const TOKENS = [
  ...["a", "b", "ab", "ba", ""].map((text) => [...new TextEncoder().encode(text)]),
  ...["€", "😀"].flatMap((text) => [...new TextEncoder().encode(text)].map((byte) => [byte])),
];

const decode = (ids: ArrayLike<number>): string =>
  new TextDecoder().decode(Uint8Array.from(Array.from(ids).flatMap((id) => TOKENS[id] ?? [])));

it("is the first token with which the text has one of the stop strings", () => {
  const pieces = fc.constantFrom([0], [1], [2], [3], [5, 6, 7], [8, 9, 10, 11], [4, 0]);
  const texts = fc.uniqueArray(fc.constantFrom("aa", "b", "ba", "a€", "€", "b😀", "😀€a"), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(pieces), texts, fc.nat(3), (written, stops, start) => {
      const ids = [...TOKENS.keys()].slice(0, start).concat(written.flat());
      const found = StopStrings.of(stops, { decode } as Tokenizer);
      const ends = Array.from({ length: ids.length - start }, (_, i) => i + 1);
      const first = ends.find((end) =>
        stops.some((stop) => decode(ids.slice(start, start + end)).includes(stop)),
      );
      expect(ends.find((end) => found?.completedBy(ids.slice(0, start + end), start))).toBe(first);
    }),
  );
  expect(StopStrings.of([], { decode } as Tokenizer)).toBeNull();
});

it("does not count a text again that was complete before", () => {
  const found = StopStrings.of(["ab"], { decode } as Tokenizer);
  expect(
    [
      [0, 1],
      [2, 0],
      [2, 2],
    ].map((ids) => found?.completedBy(ids, 0)),
  ).toEqual([true, false, true]);
});
