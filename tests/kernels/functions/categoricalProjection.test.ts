import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atomReturns, projectCategorical } from "../../../src/kernels/functions.ts";
import * as k from "../../../src/kernels/index.ts";
import { runOnReference } from "../support/run.ts";

const [n, atoms] = [k.sym("n"), k.sym("atoms")];

const program = k.trace("projection", () => {
  const [low, high] = [k.state("v_min").read(), k.state("v_max").read()];
  const projected = projectCategorical(
    k.state("probabilities", [n, atoms]).read(),
    k.state("returns", [n, atoms]).read(),
    low,
    high,
  );
  k.state("projected", [n, atoms]).write(projected);
  k.state("atomReturns", [atoms]).write(atomReturns(atoms, low, high));
});

interface Case {
  readonly v_min: number;
  readonly v_max: number;
  readonly rows: readonly (readonly (readonly [number, number])[])[];
}

/** Probabilities and returns, some beyond the atoms. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    count: fc.integer({ min: 2, max: 12 }),
    v_min: fc.double({ min: -20, max: 5, noNaN: true }),
    width: fc.double({ min: 0.5, max: 30, noNaN: true }),
  })
  .chain(({ count, v_min, width }) =>
    fc.record({
      v_min: fc.constant(v_min),
      v_max: fc.constant(v_min + width),
      rows: fc.array(
        fc
          .array(
            fc.tuple(
              fc.double({ min: 0.01, max: 1, noNaN: true }),
              fc.double({ min: v_min - width, max: v_min + 2 * width, noNaN: true }),
            ),
            { minLength: count, maxLength: count },
          )
          .map((pairs) => {
            const total = pairs.reduce((sum, [p]) => sum + p, 0);
            return pairs.map(([p, z]) => [p / total, z] as const);
          }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  );

const project = ({ v_min, v_max, rows }: Case) =>
  runOnReference(
    program,
    { n: rows.length, atoms: rows[0]?.length ?? 0 },
    {
      v_min: [v_min],
      v_max: [v_max],
      probabilities: rows.flat().map(([p]) => p),
      returns: rows.flat().map(([, z]) => z),
    },
    { precision: "f64" },
  );

describe("projection onto atoms", () => {
  it("gives the two neighbours of each return their shares", () => {
    fc.assert(
      fc.property(cases, (c) => {
        const count = c.rows[0]?.length ?? 0;
        const expected = c.rows.flatMap((row) => {
          const masses = new Array<number>(count).fill(0);
          for (const [p, z] of row) {
            const step = (c.v_max - c.v_min) / (count - 1);
            const b = (Math.min(Math.max(z, c.v_min), c.v_max) - c.v_min) / step;
            const lower = Math.min(Math.floor(b), count - 1);
            masses[lower] = (masses[lower] ?? 0) + p * (lower + 1 - b);
            if (lower + 1 < count) masses[lower + 1] = (masses[lower + 1] ?? 0) + p * (b - lower);
          }
          return masses;
        });
        const { projected = [] } = project(c);
        expected.forEach((mass, i) => {
          expect(projected[i]).toBeCloseTo(mass, 9);
        });
      }),
      { numRuns: 200, seed: 11 },
    );
  });

  it("keeps the probability, and the mean of returns within the atoms' range", () => {
    fc.assert(
      fc.property(cases, (c) => {
        const inside: Case = {
          ...c,
          rows: c.rows.map((row) =>
            row.map(([p, z]) => [p, Math.min(Math.max(z, c.v_min), c.v_max)] as const),
          ),
        };
        const { projected = [], atomReturns: at = [] } = project(inside);
        inside.rows.forEach((row, r) => {
          const masses = projected.slice(r * row.length, (r + 1) * row.length);
          expect(masses.reduce((sum, m) => sum + m, 0)).toBeCloseTo(1, 9);
          const mean = masses.reduce((sum, m, i) => sum + m * (at[i] ?? Number.NaN), 0);
          expect(mean).toBeCloseTo(
            row.reduce((sum, [p, z]) => sum + p * z, 0),
            8,
          );
        });
      }),
      { numRuns: 200, seed: 12 },
    );
  });

  it("refuses probabilities and returns of two shapes", () => {
    expect(() =>
      k.trace("refused", () => projectCategorical(k.zeros([2, 3]), k.zeros([2, 4]), 0, 1)),
    ).toThrow(/^projectCategorical: found probabilities \[2,3\] and returns \[2,4\]/);
  });
});
