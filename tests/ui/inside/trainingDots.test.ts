import { describe, expect, it } from "vitest";
import { plotContent, plotScene } from "../../../src/ui/components/plot/plotScene.ts";
import type { Descendants } from "../../../src/ui/pages/run/charts/descentModel.ts";
import { RowSpread } from "../../../src/ui/pages/run/charts/descentModel.ts";
import { fitnessModel } from "../../../src/ui/pages/run/fitness/fitnessModel.ts";
import { fitnessPlot } from "../../../src/ui/pages/run/fitness/fitnessPlot.ts";
import { trainingDots } from "../../../src/ui/pages/run/fitness/trainingDots.ts";
import { NO_PLOT_VIEWS } from "../../../src/ui/routes/plotViews.ts";
import { descendantsOf } from "./support/descendants.ts";

/** Two generations of two members, each of 4,000 own steps; the second member is cloned in the second one. */
const all: Descendants = descendantsOf([
  [
    [0, null, 10],
    [1, null, 20],
  ],
  [
    [1, 1, 30],
    [2, 1, 40],
  ],
]);

const trained = (training: Descendants["columns"]["training"]): Descendants => ({
  ...all,
  columns: { ...all.columns, training },
});

const live = { population: 2, evo_steps: 4000, steps_per_second: 1000 };

describe("the dots of training", () => {
  const past = trained({
    offsets: Int32Array.of(0, 1, 1, 2, 3),
    steps: Float64Array.of(1000, 6000, 8000),
    returns: Float32Array.of(9, 21, 33),
  });

  it("lie between the boundaries of their generation, by the own steps of their member", () => {
    expect(trainingDots(past, "steps", null)).toMatchObject({ x: [2000, 12_000, 16_000], y: [9, 21, 33] });
    expect(trainingDots(past, "generation", null)?.x).toEqual([0.25, 1.5, 2]);
    expect(trainingDots(past, "time", null)?.x).toEqual([0.125, 0.75, 1]);
    const dots = trainingDots(past, "steps", null);
    expect(Array.from(dots?.colours ?? [])).toEqual([0, 1, 2].map((index) => all.colours.of(index)));
  });

  it("go on beyond the last boundary while a generation is trained", () => {
    const episodes = [
      { index: 1, step: 9000, return: 35 },
      // A clone that the page does not know yet.
      { index: 7, step: 8500, return: 36 },
    ];
    const dots = (axis: "steps" | "generation" | "time") =>
      Array.from(trainingDots(all, axis, { ...live, episodes })?.x ?? []);
    expect(dots("steps")).toEqual([18_000, 17_000]);
    expect(dots("generation")).toEqual([2.25, 2.125]);
    expect(dots("time")).toEqual([3, 2]);
  });

  it("are there before the first generation has ended, with an axis of their own", () => {
    const none = descendantsOf([]);
    const episodes = [3, 4].map((step) => ({ index: step, step: 100 * step, return: 20 * step }));
    const dots = trainingDots(none, "steps", { ...live, episodes });
    expect(dots).toMatchObject({ x: [600, 800], y: [60, 80], colours: [3, 4] });
    const model = fitnessModel(none, null, Array.from(dots?.y ?? []));
    const plot = fitnessPlot(model, "steps", new RowSpread(), dots);
    const { x, y } = plotScene(plot, plotContent(plot, NO_PLOT_VIEWS), NO_PLOT_VIEWS, {
      width: 600,
      height: 320,
      chart: "fitness",
    });
    expect(x.domain).toEqual([600, 800]);
    expect(y.domain[0]).toBeLessThanOrEqual(60);
    expect(y.domain[1]).toBeGreaterThanOrEqual(80);
  });

  it("leave out what is no number, and are none where nothing is known", () => {
    expect(trainingDots(all, "steps", null)).toBeNull();
    const broken = [{ index: 1, step: 9000, return: Number.NaN }];
    expect(trainingDots(all, "steps", { ...live, episodes: broken })).toBeNull();
  });

  it("are evenly chosen where there are too many", () => {
    const many = 100_000;
    const dots = trainingDots(
      trained({
        offsets: Int32Array.of(0, many, many, many, many),
        steps: Float64Array.from({ length: many }, (_, at) => at / 25),
        returns: new Float32Array(many),
      }),
      "steps",
      null,
    );
    expect(dots?.x.length).toBe(20_000);
  });
});
