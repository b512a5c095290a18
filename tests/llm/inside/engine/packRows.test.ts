import fc from "fast-check";
import { expect, it } from "vitest";
import { packRows } from "../../../../src/llm/engine/packRows.ts";

/** Rows of tokens that are all different, padded on the right. */
function rowsOf(sizes: readonly number[]) {
  const length = Math.max(2, ...sizes);
  const input_ids = new Int32Array(sizes.length * length);
  const attention_mask = new Int32Array(sizes.length * length);
  let id = 1;
  for (const [row, size] of sizes.entries())
    for (let t = 0; t < size; t++) {
      input_ids[row * length + t] = id++;
      attention_mask[row * length + t] = 1;
    }
  return { rows: sizes.length, length, input_ids, attention_mask };
}

it("keeps every sequence whole, in one row, with its values of next tokens", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 }), (sizes) => {
      const given = rowsOf(sizes);
      const { length } = given;
      const { sequences, move } = packRows(given);
      expect([sequences.length, sequences.rows <= given.rows]).toEqual([length, true]);
      // Each next token's value is its own id.
      const values = Float32Array.from({ length: given.rows * (length - 1) }, (_, i) => {
        const [row, t] = [Math.floor(i / (length - 1)), i % (length - 1)];
        return given.input_ids[row * length + t + 1] ?? 0;
      });
      const moved = move(values);
      const found: number[][] = [];
      for (let row = 0; row < sequences.rows; row++)
        for (let t = 0; t < length; t++) {
          const at = row * length + t;
          const number = sequences.attention_mask[at] ?? 0;
          if (number === 0) continue;
          found[number] ??= [];
          found[number].push(sequences.input_ids[at] ?? 0);
          const isLast = t + 1 === length || sequences.attention_mask[at + 1] !== number;
          const next = isLast ? 0 : sequences.input_ids[at + 1];
          expect(t + 1 === length ? 0 : moved[row * (length - 1) + t]).toBe(next);
        }
      const whole = sizes.flatMap((size, row) =>
        size < 2 ? [] : [[...given.input_ids.subarray(row * length, row * length + size)]],
      );
      const order = (a: readonly number[], b: readonly number[]) => (a[0] ?? 0) - (b[0] ?? 0);
      expect(found.slice(1).sort(order)).toEqual(whole);
    }),
  );
});

it("fills rows, the longest sequences first", () => {
  const { sequences } = packRows(rowsOf([3, 8, 5, 2, 6]));
  expect(sequences.rows).toBe(3);
  expect([...sequences.attention_mask.subarray(8, 16)]).toEqual([2, 2, 2, 2, 2, 2, 5, 5]);
});
