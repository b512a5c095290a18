/** Splits transitions into parts of some megabytes. */
import { copyRows, PART_BYTES } from "../../agents/members.ts";
import type { Written } from "./kinds.ts";

/** Each part is a copy. @param segment Transitions in a segment. */
export function* writtenParts(written: Iterable<Written>, segment: number): Generator<Written> {
  for (const { slot, start, count, rows } of written) {
    const bytes = Object.values(rows).reduce((sum, { byteLength }) => sum + byteLength, 0);
    const most = Math.max(1, Math.floor((PART_BYTES * rows.ended.length) / bytes));
    for (let from = 0; from < count; from += most) {
      const to = Math.min(count, from + most);
      yield { slot, start: (start + from) % segment, count: to - from, rows: copyRows(rows, from, to) };
    }
  }
}
