/** A replacement of one range of a text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The smallest single replacement that turns one text into another; null if they are equal. */
export function textChange(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before[before.length - 1 - end] === after[after.length - 1 - end])
    end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
