/** Colours of runs that are shown together. */

/** Number of colours that charts tell apart. */
const COLOURS = 8;

/** The colour of each run that was shown since the page was opened. */
const known = new Map<string, number>();

/**
 * The colours of runs that are shown together, as indices of slots. A run keeps its colour on all pages, whatever else is
 * shown. Up to eight runs have different colours; of two that would share one, the later gets another.
 */
export function runColours(ids: readonly string[]): ReadonlyMap<string, number> {
  const uses = new Array<number>(COLOURS).fill(0);
  const most = Math.ceil(ids.length / COLOURS);
  const take = (id: string, colour: number): void => {
    uses[colour] = (uses[colour] ?? 0) + 1;
    known.set(id, colour);
  };
  const others = ids.filter((id) => {
    const colour = known.get(id);
    if (colour === undefined || (uses[colour] ?? 0) >= most) return true;
    take(id, colour);
    return false;
  });
  for (const id of others) take(id, uses.indexOf(Math.min(...uses)));
  return new Map(ids.map((id) => [id, known.get(id) ?? 0]));
}
