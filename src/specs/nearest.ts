/**
 * Damerau-Levenshtein distance in its restricted form: the fewest insertions, deletions, substitutions
 * and swaps of neighbours, no substring edited twice.
 */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  const cells = new Array<number>((a.length + 1) * width).fill(0);
  const at = (i: number, j: number): number => cells[i * width + j] ?? 0;
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      let best: number;
      if (i === 0 || j === 0) best = i + j;
      else {
        const substitution = a[i - 1] === b[j - 1] ? 0 : 1;
        best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + substitution);
        const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
        if (swapped) best = Math.min(best, at(i - 2, j - 2) + 1);
      }
      cells[i * width + j] = best;
    }
  }
  return at(a.length, b.length);
}

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * The candidate nearest to `name`, ignoring case and separators; `undefined` when none is near enough
 * (about one edit for every three letters) to be a likely slip of the pen.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = bare(name);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, bare(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
