/** The league of a game: its table, and when rules were first beaten. */
import { describe, expect, it } from "vitest";
import type { GenerationReport, MatchReport } from "../../../src/tracking/observer.ts";
import { FirstWins } from "../../../src/ui/pages/run/league/FirstWins.ts";
import {
  beatenRules,
  leagueTable,
  lowestShare,
  playerName,
  pointsText,
  ratingText,
} from "../../../src/ui/pages/run/league/leagueModel.ts";
import { generationReport } from "../support/reports.ts";

const match = (opponent: string, points: number, games = 32): MatchReport => ({ opponent, games, points });

/** A generation of two members, whose second is the best one. */
function report(generation: number, points: readonly [random: number, one_step: number]) {
  return {
    ...generationReport(generation, [50, 300]),
    league: {
      players: [
        { id: "random", rating: 0, error: 0 },
        { id: "one_step", rating: 200, error: 20 },
        { id: "generation 2", rating: 120, error: 30 },
        { id: "generation 4", rating: 90, error: 30 },
      ],
      matches: [
        [match("random", 20), match("one_step", 4.5), match("generation 2", 16)],
        [match("random", points[0]), match("one_step", points[1])],
      ],
    },
  } satisfies GenerationReport;
}

describe("the table of a league", () => {
  it("has all players by rating, and the opponents of this generation", () => {
    const { rows, opponents } = leagueTable(report(5, [30, 20]));
    expect(opponents).toEqual(["random", "one_step", "generation 2"]);
    expect(rows.map(({ name, rating }) => [name, rating])).toEqual([
      ["#51", 300],
      ["One-step rule", 200],
      ["Best of generation 2", 120],
      ["Best of generation 4", 90],
      ["#50", 50],
      ["Random moves", 0],
    ]);
    // Points of rules and past agents are those that members lost to them.
    expect(rows.map(({ total: { points, games } }) => [points, games])).toEqual([
      [50, 64],
      [39.5, 64],
      [16, 32],
      [0, 0],
      [40.5, 96],
      [14, 64],
    ]);
    expect(rows[0]?.scores.get("one_step")).toEqual(match("one_step", 20));
    expect(rows[0]?.scores.get("generation 2")).toBeUndefined();
  });

  it("says intervals and points, and leaves out what is not known", () => {
    expect(ratingText({ rating: 200, error: 20 })).toBe("200.0 ± 39.2");
    expect(ratingText({ rating: 200, error: Number.NaN })).toBe("200.0");
    expect(pointsText(match("random", 4.5, 1024))).toBe("4.5 of 1,024");
    expect(playerName("generation 12")).toBe("Best of generation 12");
  });
});

describe("rules that are beaten", () => {
  it("lost more than half of the points, at the lower end of the interval too", () => {
    // 20 of 32: 45 % at least; 23 of 32: 55 %.
    expect(lowestShare(match("random", 20))).toBeCloseTo(0.4525, 3);
    expect(lowestShare(match("random", 23))).toBeCloseTo(0.5463, 3);
    expect(lowestShare(match("random", 0, 0))).toBe(0);
    expect(beatenRules(report(5, [23, 20])).map(({ rule, member }) => [rule, member])).toEqual([
      ["random", 51],
    ]);
  });

  it("are found at their first generation, without reading reports after the last rule", async () => {
    const all = Array.from({ length: 40 }, (_, i) => report(i + 1, [i >= 2 ? 30 : 16, i >= 19 ? 31 : 3]));
    const read: number[] = [];
    const held = new Set<number>();
    const wins = new FirstWins({
      load: async (first, last) => {
        for (let at = first; at <= last; at++) {
          read.push(at);
          held.add(at);
        }
      },
      get: (generation) => (held.has(generation) ? all[generation - 1] : undefined),
    });
    expect(await wins.until(2)).toEqual([]);
    const found = await wins.until(40);
    expect(found.map(({ rule, generation }) => [rule, generation])).toEqual([
      ["random", 3],
      ["one_step", 20],
    ]);
    expect(Math.max(...read)).toBeLessThan(40);
    expect(await wins.until(40)).toEqual(found);
  });
});
