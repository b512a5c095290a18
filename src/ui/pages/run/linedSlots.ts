import { MAX_LINES } from "../../series/FitnessSeries.ts";

/**
 * The slots that have a line in the fitness chart: all of a population, or of one too large for that those that are
 * looked at.
 *
 * @param slots members of the population
 * @param wanted slots that are looked at; null and those that are none are left out
 */
export function linedSlots(
  slots: number,
  wanted: readonly (number | null)[],
): { readonly all: boolean; readonly lines: readonly number[] } {
  const all = slots <= MAX_LINES;
  const every = Array.from({ length: slots }, (_, slot) => slot);
  return { all, lines: all ? every : every.filter((slot) => wanted.includes(slot)) };
}
