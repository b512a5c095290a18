import fc from "fast-check";
import { publishedAsterix } from "./publishedAsterix.ts";
import { publishedBreakout } from "./publishedBreakout.ts";
import { publishedFreeway } from "./publishedFreeway.ts";
import type { PublishedRules } from "./publishedGame.ts";
import { publishedSeaquest } from "./publishedSeaquest.ts";
import { publishedSpaceInvaders } from "./publishedSpaceInvaders.ts";

export interface PublishedCase {
  readonly rules: PublishedRules;
  /** States to step from, reachable or not, without the last action. */
  readonly states: fc.Arbitrary<readonly number[]>;
}

const side = fc.nat(9);
const sign = fc.constantFrom(-1, 1);
const bit = fc.nat(1);
/** Eight numbers, for eight cars or entities in rows 1 to 8. */
const eight = (each: fc.Arbitrary<number>): fc.Arbitrary<number[]> =>
  fc.array(each, { minLength: 8, maxLength: 8 });
/** Row bits with random cells in rows `from` to `to`. */
const rows = (from: number, to: number): fc.Arbitrary<number[]> =>
  fc.tuple(
    ...Array.from({ length: 10 }, (_, y) =>
      y < from || y > to ? fc.constant(0) : fc.oneof(fc.constant(0), fc.nat(1023)),
    ),
  );
/** Row bits with a single cell set. */
const only = (x: number, y: number): number[] =>
  Array.from({ length: 10 }, (_, row) => (row === y ? 2 ** x : 0));
const laidOut = (...parts: fc.Arbitrary<number | readonly number[]>[]): fc.Arbitrary<readonly number[]> =>
  fc.tuple(...parts).map((values) => values.flat());

/** Each property over all slots: first the entities, then zeros. */
const slots = (size: number, properties: number, of: readonly (readonly number[])[]): number[] =>
  Array.from({ length: size * properties }, (_, i) => of[i % size]?.[Math.floor(i / size)] ?? 0);

/** Enemies of Seaquest. Those in one row swim in the same direction. */
const shoal = fc
  .tuple(
    fc.array(sign, { minLength: 8, maxLength: 8 }),
    fc.array(fc.tuple(side, fc.nat(7), fc.constantFrom(1, 2), fc.nat(5), fc.nat(10)), { maxLength: 31 }),
  )
  .map(([headings, enemies]) =>
    slots(
      32,
      6,
      enemies.map(([x, row, kind, wait, reload]) => [
        x,
        row + 1,
        headings[row] as number,
        kind,
        wait,
        kind === 2 ? reload : 0,
      ]),
    ),
  );
const middle = fc.integer({ min: 1, max: 8 });

export const publishedGames: Readonly<Record<string, PublishedCase>> = {
  "MinAtar/Breakout-v1": {
    rules: publishedBreakout,
    states: laidOut(side, side, fc.nat(8), sign, sign, side, side, bit, rows(1, 3)),
  },
  "MinAtar/Freeway-v1": {
    rules: publishedFreeway,
    states: laidOut(
      side,
      fc.nat(3),
      fc.nat(2500),
      eight(side),
      eight(fc.nat(5)),
      eight(fc.constantFrom(-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)),
    ),
  },
  "MinAtar/SpaceInvaders-v1": {
    rules: publishedSpaceInvaders,
    states: laidOut(
      side,
      fc.nat(5),
      sign,
      fc.integer({ min: 6, max: 12 }),
      fc.nat(2),
      fc.nat(2),
      // Few aliens, so that some games clear a wave or reach an edge.
      fc.oneof(
        rows(0, 9),
        rows(3, 3),
        fc.tuple(fc.nat(9), side).map(([y, x]) => only(x, y)),
      ),
      rows(0, 9),
      rows(0, 9),
    ).filter((state) => state.slice(6, 16).some((row) => row > 0)),
  },
  "MinAtar/Asterix-v1": {
    rules: publishedAsterix,
    states: fc
      .tuple(
        laidOut(
          side,
          fc.integer({ min: 1, max: 8 }),
          fc.integer({ min: 1, max: 10 }),
          fc.nat(2),
          fc.integer({ min: 1, max: 5 }),
          fc.nat(1),
          fc.integer({ min: -1, max: 100 }),
          fc.nat(20),
        ),
        fc.array(fc.record({ x: side, kind: fc.nat(2), direction: sign }), { minLength: 8, maxLength: 8 }),
      )
      .map(([scalars, entities]) => {
        const things = entities.map((one) => (one.kind === 0 ? { x: 0, kind: 0, direction: 0 } : one));
        return [
          ...scalars,
          ...things.map(({ x }) => x),
          ...things.map(({ kind }) => kind),
          ...things.map(({ direction }) => direction),
        ];
      }),
  },
  "MinAtar/Seaquest-v1": {
    rules: publishedSeaquest,
    states: laidOut(
      side,
      fc.nat(8),
      sign,
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: -1, max: 6 }),
      bit,
      fc.nat(5),
      fc.integer({ min: 1, max: 20 }),
      fc.nat(2),
      // At least one diver slot is free when the next diver arrives.
      fc.integer({ min: 1, max: 2 }),
      fc.integer({ min: 2, max: 5 }),
      fc.nat(20),
      fc.oneof(
        fc.constant(slots(2, 3, [])),
        // At most one bullet, as two bullets in a row would need different cells.
        fc.tuple(side, middle, sign).map((bullet) => slots(2, 3, [bullet])),
      ),
      fc
        .array(fc.tuple(side, middle, sign, fc.nat(5)), { maxLength: 2 })
        .map((divers) => slots(2, 4, divers)),
      shoal,
      rows(1, 8),
      rows(1, 8),
    ),
  },
};

/** States at the highest difficulty, with the most frequent and fastest enemies. */
export const hardestStates: Readonly<Record<string, readonly number[]>> = {
  "MinAtar/Asterix-v1": [5, 5, 1, 0, 1, 0, 100, 20, ...Array<number>(24).fill(0)],
  "MinAtar/Seaquest-v1": [5, 4, -1, 200, 0, 0, 0, 1, 0, 1, 2, 20, ...Array<number>(226).fill(0)],
};
