/** Responses behind prompts of other rows. */
import type { LabelledSequences } from "./learntBatches.ts";

/**
 * Each row's prompt with the response of the row before; the first has the last one's, as in TRL's KTOTrainer.
 *
 * @param most Longest sequence; responses are cut there.
 * @returns `null` for a single row, which has no other's response.
 */
export function mismatchedSequences(
  { sequences, action_mask }: LabelledSequences,
  most: number,
): LabelledSequences | null {
  const { rows, length, input_ids, attention_mask } = sequences;
  if (rows < 2) return null;
  const columns = length - 1;
  const parts = Array.from({ length: rows }, (_, row) => {
    const ids = input_ids.subarray(row * length, (row + 1) * length);
    const used = attention_mask.subarray(row * length, (row + 1) * length).lastIndexOf(1) + 1;
    const first = action_mask.subarray(row * columns, (row + 1) * columns).indexOf(1);
    // Column t says whether token t + 1 belongs to the response.
    const start = first < 0 ? used : first + 1;
    return { prompt: ids.subarray(0, start), response: ids.subarray(start, used) };
  });
  const made = parts.map(({ prompt }, row) => {
    const { response } = parts.at(row - 1) ?? { response: new Int32Array(0) };
    return { prompt, ids: [...prompt, ...response].slice(0, most) };
  });
  const longest = Math.max(...made.map(({ ids }) => ids.length));
  const mixed = {
    rows,
    length: longest,
    input_ids: new Int32Array(rows * longest).fill(input_ids[0] ?? 0),
    attention_mask: new Int32Array(rows * longest),
  };
  const mask = new Float32Array(rows * (longest - 1));
  for (const [row, { prompt, ids }] of made.entries()) {
    mixed.input_ids.set(ids, row * longest);
    mixed.attention_mask.fill(1, row * longest, row * longest + ids.length);
    const at = row * (longest - 1) - 1;
    mask.fill(1, at + prompt.length, Math.max(at + prompt.length, at + ids.length));
  }
  return { sequences: mixed, action_mask: mask };
}
