import { describe, expect, test } from "vitest";
import { Random } from "../../src/evolution/index.ts";
import { bradleyTerry, type Encounter, expectedPoints } from "../../src/evolution/members.ts";

const ELO = 400 / Math.log(10);
/** Variance of the prior in natural units: five e-folds of odds. */
const PRIOR = 25;

/** A restatement: gradient ascent on the log-likelihood with a normal prior, one player at a time. */
function restated(players: number, encounters: readonly Encounter[]): number[] {
  const r = Array<number>(players).fill(0);
  for (let sweep = 0; sweep < 20_000; sweep++) {
    for (let i = 1; i < players; i++) {
      let gradient = -(r[i] as number) / PRIOR;
      let curvature = 1 / PRIOR;
      for (const { a, b, games, points } of encounters) {
        if (a !== i && b !== i) continue;
        const other = a === i ? b : a;
        const won = a === i ? points : games - points;
        const p = 1 / (1 + Math.exp((r[other] as number) - (r[i] as number)));
        gradient += won - games * p;
        curvature += games * p * (1 - p);
      }
      r[i] = (r[i] as number) + gradient / curvature;
    }
  }
  return r.map((x) => x * ELO);
}

/** A round robin of players with given ratings. */
function roundRobin(truth: readonly number[], games: number, random: Random): Encounter[] {
  return truth.flatMap((own, a) =>
    truth.slice(a + 1).map((other, i) => {
      const p = expectedPoints(own - other);
      const points = Array.from({ length: games }, () => Number(random.uniform() < p)).reduce(
        (x, y) => x + y,
        0,
      );
      return { a, b: a + 1 + i, games, points };
    }),
  );
}

describe("Ratings by Bradley and Terry", () => {
  test("are those of a restatement, draws and one-sided results included", () => {
    const random = new Random({ seed: 5, stream: "ratings" });
    for (const players of [2, 4, 7]) {
      const truth = Array.from({ length: players }, () => 600 * random.uniform());
      const drawn = roundRobin(truth, 12, random).map((e) => ({
        ...e,
        points: Math.min(e.games, e.points + 0.5),
      }));
      const all = [...drawn, { a: 0, b: players - 1, games: 20, points: 0 }];
      const { ratings } = bradleyTerry(players, all);
      for (const [i, rating] of restated(players, all).entries())
        expect(Math.abs((ratings[i] as number) - rating)).toBeLessThan(1e-6);
    }
  });

  test("of players who never met have the width of the prior", () => {
    // 1 and 2 met each other, 3 the fixed player, and 4 nobody.
    const { ratings, errors } = bradleyTerry(5, [
      { a: 1, b: 2, games: 40, points: 20 },
      { a: 0, b: 3, games: 40, points: 20 },
    ]);
    for (const rating of ratings) expect(rating).toBeCloseTo(0, 6);
    const prior = Math.sqrt(PRIOR) * ELO;
    expect(errors[4]).toBeCloseTo(prior, 6);
    // What is known of 1 and 2 is their difference alone.
    expect(errors[1]).toBeGreaterThan(0.7 * prior);
    expect(errors[1]).toBeLessThan(prior);
    expect(errors[3]).toBeLessThan(0.1 * prior);
  });

  test("have intervals that contain the truth 95 times in 100", () => {
    const random = new Random({ seed: 8, stream: "coverage" });
    const truth = [0, 60, 120, 180, 240, 300];
    let [covered, all] = [0, 0];
    for (let trial = 0; trial < 600; trial++) {
      const { ratings, errors } = bradleyTerry(truth.length, roundRobin(truth, 40, random));
      for (const [i, is] of truth.slice(1).entries()) {
        all++;
        if (Math.abs((ratings[i + 1] as number) - is) <= 1.96 * (errors[i + 1] as number)) covered++;
      }
    }
    expect(covered / all).toBeGreaterThan(0.93);
    expect(covered / all).toBeLessThan(0.97);
  });

  test("stay finite for players who won or lost everything, and for one that never played", () => {
    const { ratings, errors } = bradleyTerry(4, [
      { a: 1, b: 0, games: 64, points: 64 },
      { a: 2, b: 0, games: 64, points: 0 },
    ]);
    expect(ratings[0]).toBe(0);
    expect(ratings[1]).toBeGreaterThan(500);
    expect(ratings[2]).toBeCloseTo(-(ratings[1] as number), 6);
    expect(ratings[3]).toBe(0);
    expect(errors[3]).toBeGreaterThan(errors[1] as number);
  });

  test("refuse players that do not exist and impossible points", () => {
    expect(() => bradleyTerry(2, [{ a: 0, b: 2, games: 1, points: 0 }])).toThrow("found players 0 and 2");
    expect(() => bradleyTerry(2, [{ a: 0, b: 1, games: 1, points: 2 }])).toThrow("found 2 points in 1 games");
  });
});
