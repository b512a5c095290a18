/** The difference of two texts, word by word. */

export interface DiffPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Largest product of the numbers of words that are compared; larger texts differ as a whole between their common ends. */
const MOST_CELLS = 4_000_000;

/** Words, spaces and other characters, which together are the text. */
const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];

/** Lengths of the longest common subsequences of the ends of `a` and `b`: [a + 1, b + 1]. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  return lengths;
}

/** The parts of two lists of words that have no common beginning or end. */
function* changed(a: readonly string[], b: readonly string[]): Generator<DiffPart> {
  if (a.length * b.length > MOST_CELLS) {
    yield { kind: "removed", text: a.join("") };
    yield { kind: "added", text: b.join("") };
    return;
  }
  const lengths = commonLengths(a, b);
  const width = b.length + 1;
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [old, fresh] = [a[i], b[j]];
    if (old !== undefined && old === fresh) {
      yield { kind: "same", text: old };
      i++;
      j++;
    } else if (
      old !== undefined &&
      (fresh === undefined || (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      yield { kind: "removed", text: old };
      i++;
    } else {
      yield { kind: "added", text: fresh ?? "" };
      j++;
    }
  }
}

/**
 * What changes from one text to another, as few words as possible. The parts that are not added are `before`, those that
 * are not removed are `after`; neighbours differ in kind.
 */
export function textDiff(before: string, after: string): readonly DiffPart[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const parts: DiffPart[] = [
    { kind: "same", text: a.slice(0, start).join("") },
    ...changed(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    { kind: "same", text: a.slice(a.length - end).join("") },
  ];
  const joined: DiffPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.text === "") continue;
    if (last?.kind === part.kind) joined[joined.length - 1] = { ...part, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}
