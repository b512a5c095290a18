import { describe, expect, it } from "vitest";
import { findEnvironment } from "../../../src/rl/environments.ts";
import { RANGED_ENVIRONMENTS, returnRange } from "../../../src/ui/lib/returnRanges.ts";
import { bySeeds } from "../../../src/ui/pages/compare/configurationSeeds.ts";
import { curvesOf } from "../../../src/ui/pages/compare/curves.ts";
import { pairingOf } from "../../../src/ui/pages/compare/pairs.ts";
import { runColours } from "../../../src/ui/series/runColours.ts";
import { comparedRuns } from "./support/comparedRuns.ts";

const choice = { measure: "best fitness", axis: "generation", seeds: true } as const;

describe("seeds of a configuration", () => {
  it("count once, however often one is repeated", () => {
    const repeated = comparedRuns([
      { lr: 0.1, seed: 1 },
      { lr: 0.1, seed: 1, best: [1, 2, 3, 4] },
    ]);
    const [group] = bySeeds(repeated);
    expect(group?.runs.map(({ id }) => id)).toEqual(["run-1"]);
    // Without two seeds there is nothing to take a mean of.
    expect(curvesOf(repeated, choice)).toMatchObject({ hasSeeds: false, seeds: false });
    const { charts } = curvesOf([...repeated, ...comparedRuns([{ lr: 0.1, seed: 2 }])], choice);
    expect(charts[0]?.legend.map(({ label }) => label)).toEqual(["DQN CartPole-v1 (n = 2)"]);
  });

  it("are dots below three, then a band within the possible returns", () => {
    const seeds = (count: number) =>
      comparedRuns(
        Array.from({ length: count }, (_, at) => ({ lr: 0.1, seed: at, best: [0, 500 - 40 * (at % 2)] })),
      );
    const [two] = curvesOf(seeds(2), choice).charts;
    expect(two?.model.dots?.[0]).toMatchObject({
      x: [1, 2, 1, 2],
      y: [0, 500, 0, 460],
      colours: [0, 0, 0, 0],
    });
    expect(two?.model.lines[2]?.values).toEqual([null, null]);
    expect(two?.note).toContain("Two seeds have no interval");
    const [three] = curvesOf(seeds(3), choice).charts;
    expect(three?.model.dots).toEqual([]);
    expect(three?.model.lines[2]?.values).toEqual([0, 500]);
    expect(three?.note).toContain("95 % intervals by Student's t, cut to the possible returns (0 to 500).");
    const [ten] = curvesOf(seeds(10), choice).charts;
    expect(ten?.note).toContain("interquartile means");
  });
});

describe("two configurations", () => {
  const scores = (lr: number, values: readonly number[]) =>
    values.map((value, seed) => ({ lr, seed, best: [value] }));
  const pair = (a: readonly number[], b: readonly number[], measure = "last best fitness") =>
    pairingOf(comparedRuns([...scores(0.1, a), ...scores(0.2, b)]), { sides: [], measure });

  it("are paired by seed, with an interval and what it allows to say", () => {
    const found = pair([486.5, 500, 391.75, 500, 472.1, 455], [301.2, 422.5, 356, 480.25, 390, 470.5, 9]);
    expect(found?.seeds.map(({ seed, difference }) => [seed, Number(difference.toFixed(2))])).toEqual([
      [0, 185.3],
      [1, 77.5],
      [2, 35.75],
      [3, 19.75],
      [4, 82.1],
      [5, -15.5],
    ]);
    expect(found?.verdict).toBe(
      "The mean of A minus B is +64.2 over 6 seeds, with a 95 % interval of -9.0 to +137.3 (Student's t): not enough evidence that A and B differ.",
    );
    expect(pair([30, 41, 52], [10, 20, 30])?.verdict).toContain("A is higher than B.");
    expect(pair([10, 20, 30], [30, 41, 52])?.verdict).toContain("A is lower than B.");
  });

  it("say so where there are few seeds, none in common, or another environment", () => {
    expect(pair([1, 2], [3, 9])?.verdict).toContain("Not enough evidence");
    const apart = comparedRuns([
      { lr: 0.1, seed: 1 },
      { lr: 0.2, seed: 2 },
    ]);
    expect(pairingOf(apart, { sides: [], measure: "" })?.verdict).toContain("share no seed");
    const elsewhere = comparedRuns([
      { lr: 0.1, seed: 1 },
      { lr: 0.1, seed: 1, environment: "Acrobot-v1" },
    ]);
    expect(pairingOf(elsewhere, { sides: [], measure: "" })?.verdict).toContain("cannot be compared");
    expect(pairingOf(comparedRuns([{ lr: 0.1, seed: 1 }]), { sides: [], measure: "" })).toBeNull();
  });

  it("are on the sides that the user chose", () => {
    const runs = comparedRuns([0.1, 0.2, 0.3].map((lr) => ({ lr, seed: 1 })));
    expect(pairingOf(runs, { sides: ["run-2", "run-0"], measure: "" })).toMatchObject({
      a: { name: "DQN CartPole-v1, lr 0.3" },
      b: { name: "DQN CartPole-v1, lr 0.1" },
    });
    // A deleted run leaves its side to another.
    expect(pairingOf(runs, { sides: ["gone", "run-0"], measure: "" })?.b.name).toBe(
      "DQN CartPole-v1, lr 0.2",
    );
  });
});

describe("colours of runs", () => {
  it("stay with a run, and differ among eight", () => {
    const before = runColours(["p", "q", "r"]);
    expect(runColours(["r", "p"])).toEqual(new Map([...before].filter(([id]) => id !== "q").reverse()));
    const eight = runColours(["r", "p", "1", "2", "3", "4", "5", "6"]);
    expect(new Set(eight.values()).size).toBe(8);
    expect(eight.get("r")).toBe(before.get("r"));
    // q has the colour of one of them by now.
    const mixed = runColours(["p", "q", "1", "2", "3", "4", "5", "6"]);
    expect(new Set(mixed.values()).size).toBe(8);
  });
});

describe("the range of returns", () => {
  it("is known for environments that exist, and not where options may change it", () => {
    for (const id of RANGED_ENVIRONMENTS) expect(findEnvironment(id).id).toBe(id);
    expect(returnRange({ environment: { name: "CartPole-v1" } })).toEqual([0, 500]);
    expect(
      returnRange({ environment: { name: "CartPole-v1", env_config: { max_episode_steps: 900 } } }),
    ).toBeUndefined();
    expect(returnRange({ environment: { name: "Unknown-v0" } })).toBeUndefined();
  });
});
