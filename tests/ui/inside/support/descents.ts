import fc from "fast-check";
import type { Descent } from "../../../../src/ui/series/lineageColours.ts";

type Member = readonly [index: number, parent: number];

/** Who came from whom, from the members of each generation in the order of slots. */
export function descentOf(generations: readonly (readonly Member[])[]): Descent {
  const members = generations.flat();
  return {
    generations: generations.length,
    population: generations[0]?.length ?? 0,
    index: Int32Array.from(members, ([index]) => index),
    parent: Int32Array.from(members, ([, parent]) => parent),
  };
}

/** The members of a generation, 0-based. */
export function rowOf(
  { population, index, parent }: Descent,
  row: number,
): { readonly index: number; readonly parent: number }[] {
  return Array.from({ length: population }, (_, slot) => ({
    index: index[row * population + slot] ?? -1,
    parent: parent[row * population + slot] ?? -1,
  }));
}

/** Any history that selection can make: every slot keeps some member of the generation before, once, or clones one. */
export function anyDescent({ population }: { population: { max: number } }): fc.Arbitrary<Descent> {
  return fc.integer({ min: 1, max: population.max }).chain((size) => {
    const choice = fc.record({ from: fc.nat({ max: size - 1 }), stays: fc.boolean() });
    const generation = fc.array(choice, { minLength: size, maxLength: size });
    return fc.array(generation, { maxLength: 12 }).map((choices) => {
      let next = size;
      let before: readonly Member[] = Array.from({ length: size }, (_, slot): Member => [slot, -1]);
      const rows = [before];
      for (const slots of choices) {
        const kept = new Set<number>();
        const now: Member[] = [];
        for (const { from, stays } of slots) {
          const source = before[from]?.[0] ?? 0;
          if (stays && !kept.has(source)) now.push([source, source]);
          else {
            now.push([next, source]);
            next += 1;
          }
          kept.add(source);
        }
        rows.push(now);
        before = now;
      }
      return descentOf(rows);
    });
  });
}
