/** Learning curves as pictures: what of several seeds is drawn, and where. */
import { describe, expect, it } from "vitest";
import { ticks } from "../../bench/curves/chartSvg.ts";
import { curveSvg } from "../../bench/curves/curveSvg.ts";
import { spreadOf } from "../../bench/curves/spread.ts";

const seed = (...points: readonly (readonly [steps: number, score: number])[]) =>
  points.map(([steps, score]) => ({ steps, score, seconds: 0 }));

describe("the spread over seeds", () => {
  it("is lowest, median and highest at each step", () => {
    const seeds = [seed([10, 1], [20, 5]), seed([10, 3], [20, 6]), seed([10, 2], [20, 9])];
    expect(spreadOf(seeds)).toEqual([
      { steps: 10, lowest: 1, median: 2, highest: 3 },
      { steps: 20, lowest: 5, median: 6, highest: 9 },
    ]);
  });

  it("takes scores between points from the line through them, and ends where the first seed ends", () => {
    const seeds = [seed([10, 0], [30, 20]), seed([10, 4], [20, 8], [30, 12], [40, 50])];
    expect(spreadOf(seeds)).toEqual([
      { steps: 10, lowest: 0, median: 2, highest: 4 },
      { steps: 20, lowest: 8, median: 9, highest: 10 },
      { steps: 30, lowest: 12, median: 16, highest: 20 },
    ]);
  });
});

describe("a curve's picture", () => {
  const spread = [
    { steps: 0, lowest: 0, median: 50, highest: 100 },
    { steps: 1000, lowest: 100, median: 150, highest: 200 },
  ];
  const svg = curveSvg({ title: "A < B", subtitle: "two seeds", spread, threshold: 150, episodes: 20 });

  it("has the median as a line and the range as a band, lower values below", () => {
    const [, line = ""] = /<polyline class="median" points="([^"]*)"/.exec(svg) ?? [];
    const [[x0, y0], [x1, y1]] = line.split(" ").map((place) => place.split(",").map(Number)) as [
      [number, number],
      [number, number],
    ];
    expect([x0, x1]).toEqual([72, 690]);
    expect(y0).toBeGreaterThan(y1);
    expect(/<polygon class="range" points="([^"]*)"/.exec(svg)?.[1]?.split(" ")).toHaveLength(4);
  });

  it("draws the bar at the median's height where they are equal", () => {
    const bar = /class="bar"[^>]* y1="([\d.]+)"/.exec(svg)?.[1];
    expect(svg).toContain(`690.0,${bar}"`);
  });

  it("names axes with units, escapes its title, and has colours for dark pages", () => {
    expect(svg).toContain("environment steps of each agent");
    expect(svg).toContain("mean return of 20 greedy episodes");
    expect(svg).toContain("A &lt; B");
    expect(svg).toContain("prefers-color-scheme: dark");
  });

  it("needs points", () => {
    expect(() => curveSvg({ title: "", subtitle: "", spread: [], threshold: 0, episodes: 20 })).toThrow(
      RangeError,
    );
  });
});

it.each([
  [0, 500, [0, 100, 200, 300, 400, 500]],
  [-1200, -150, [-1000, -500]],
  [0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
])("ticks from %f to %f are round", (least, most, expected) => {
  expect(ticks(least, most).map((tick) => Number(tick.toFixed(9)))).toEqual(expected);
});
