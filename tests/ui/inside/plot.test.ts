import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rangeBetween } from "../../../src/ui/components/plot/blockRanges.ts";
import { cutDots } from "../../../src/ui/components/plot/cutDots.ts";
import { hiddenAfter } from "../../../src/ui/components/plot/PlotLegend.tsx";
import {
  logProblem,
  nearestPosition,
  type PlotModel,
  steppedPosition,
} from "../../../src/ui/components/plot/PlotModel.ts";
import { linePath, plotDrawing, plotSurface } from "../../../src/ui/components/plot/plotDrawing.ts";
import { toPixel, toValue, zoomedAround, zoomedTo } from "../../../src/ui/components/plot/plotScale.ts";
import { plotContent, plotScene } from "../../../src/ui/components/plot/plotScene.ts";
import { plotTable } from "../../../src/ui/components/plot/plotTable.ts";
import type { PlotTheme } from "../../../src/ui/components/plot/plotTheme.ts";
import { smoothed } from "../../../src/ui/components/plot/smoothed.ts";
import { plotText } from "../../../src/ui/routes/plotText.ts";
import {
  formatPlotViews,
  NO_PLOT_VIEWS,
  type PlotViews,
  parsePlotViews,
  plotSlug,
} from "../../../src/ui/routes/plotViews.ts";

const line = (label: string, values: readonly (number | null)[]) =>
  ({ label, values, colour: "accent", width: 1, read: true }) as const;

const modelOf = (lines: PlotModel["lines"], more: Partial<PlotModel> = {}): PlotModel => ({
  axis: "generation",
  x: Array.from(lines[0]?.values ?? [], (_, at) => at + 1),
  lines,
  bands: [],
  log: false,
  bounds: [],
  marks: [],
  format: String,
  formatX: String,
  ...more,
});

const sceneOf = (model: PlotModel, views: PlotViews = NO_PLOT_VIEWS) =>
  plotScene(model, plotContent(model, views), views, { width: 600, height: 320, chart: "loss" });

describe("the view state of charts in the address", () => {
  const slug = fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/);
  const range = fc
    .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }))
    .map(([low, span]) => [low / 8, low / 8 + span / 8] as const);
  const anyViews: fc.Arbitrary<PlotViews> = fc.record({
    smoothing: fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100),
    x: fc.dictionary(slug, range, { noNullPrototype: true }),
    y: fc.dictionary(slug, range, { noNullPrototype: true }),
    log: fc.dictionary(slug, fc.boolean(), { noNullPrototype: true }),
    logX: fc.uniqueArray(slug),
    hidden: fc.uniqueArray(slug),
  });

  it("comes back as it went in, to seven digits", () => {
    fc.assert(
      fc.property(anyViews, (views) => {
        const text = formatPlotViews(views);
        if (text.length > 4000) return;
        expect(plotText(text)).toBe(text);
        const back = parsePlotViews(text);
        expect(formatPlotViews(back)).toBe(text);
        expect([back.log, back.logX, back.hidden]).toEqual([views.log, views.logX, views.hidden]);
        expect(back.smoothing).toBeCloseTo(views.smoothing, 6);
      }),
    );
  });

  it("is short, and drops what has no meaning", () => {
    expect(formatPlotViews(NO_PLOT_VIEWS)).toBe("");
    const text = "s_2*x_steps_5_1*x_steps_a_b*y__1_2*q_loss*l*h_";
    expect(parsePlotViews(text)).toEqual({ ...NO_PLOT_VIEWS, smoothing: 0.99 });
    expect(plotText("<script>")).toBe("");
    expect(plotText("x".repeat(4001))).toBe("");
    expect(plotSlug("Best so_far (Überlauf)")).toBe("best-so-far-überlauf-");
  });
});

describe("smoothing", () => {
  it("is the mean that weights give, without a pull towards zero", () => {
    const five = expect.closeTo(5);
    expect(smoothed([5, 5, null, 5], 0.9)).toEqual([five, five, null, five]);
    const [, second] = smoothed([0, 1], 0.5);
    expect(second).toBeCloseTo(2 / 3, 12);
  });

  it("stays within the values before", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 1 }), (values) => {
        for (const [at, value] of smoothed(values, 0.8).entries()) {
          const before = values.slice(0, at + 1);
          expect(value).toBeGreaterThanOrEqual(Math.min(...before) - 1e-9);
          expect(value).toBeLessThanOrEqual(Math.max(...before) + 1e-9);
        }
      }),
    );
  });

  it("keeps the raw line behind, and leaves steady lines and edges", () => {
    const model = modelOf([
      line("a", [0, 2]),
      { ...line("best", [1, 3]), steady: true },
      { ...line("edge", [0, 9]), width: 0 },
    ]);
    const { lines } = plotContent(model, { smoothing: 0.5, hidden: [] });
    expect(lines.map(({ label, opacity, values }) => [label, opacity < 1, values[1]])).toEqual([
      ["a", true, 2],
      ["a", false, expect.closeTo(4 / 3)],
      ["best", false, 3],
      ["edge", false, 9],
    ]);
  });
});

describe("the legend", () => {
  const groups = ["elite", "median", "range"];

  it("hides and shows one, only one, and all again", () => {
    expect(hiddenAfter(groups, [], "elite", false)).toEqual(["elite"]);
    expect(hiddenAfter(groups, ["elite"], "elite", false)).toEqual([]);
    const only = hiddenAfter(groups, ["other"], "elite", true);
    expect(only).toEqual(["other", "median", "range"]);
    expect(hiddenAfter(groups, only, "elite", true)).toEqual(["other"]);
  });

  it("takes bands with their lines", () => {
    const bands = [{ between: [1, 0], colour: "accent", opacity: 0.2, group: "range" }] as const;
    const edges = [
      { ...line("low", [1, 2]), group: "range" },
      { ...line("high", [3, 4]), group: "range" },
    ];
    const model = modelOf([...edges, line("a", [2, 3])], { bands });
    expect(plotContent(model, { smoothing: 0, hidden: [] }).bands).toHaveLength(1);
    const hidden = plotContent(model, { smoothing: 0, hidden: ["range"] });
    expect([hidden.bands, hidden.lines.map(({ label }) => label)]).toEqual([[], ["a"]]);
    const smooth = plotContent(model, { smoothing: 0.5, hidden: [] });
    expect(smooth.bands[0]?.between.map((at) => smooth.lines[at]?.label)).toEqual(["high", "low"]);
  });
});

describe("dots beyond the axis", () => {
  it("are counted by name, within the horizontal ends, also in files", () => {
    const dots = {
      label: "training episode",
      x: [1, 1, 2, 9],
      y: [50, 60, -8, 99],
      colours: [0, 0, 0, 0],
      radius: 2,
    };
    const model = modelOf([line("a", [1, 2])], { dots: [{ ...dots, group: "d" }], range: [0, 5] });
    const scene = sceneOf(model, { ...NO_PLOT_VIEWS, x: { generation: [0, 3] }, y: { loss: [0, 5] } });
    expect(cutDots(scene)).toEqual({ above: "2 training episodes", below: "1 training episode" });
    expect(plotSurface(scene, String, "clip")).toContain("▲ 2 training episodes above");
    expect(cutDots(sceneOf(modelOf([line("a", [1, 2])])))).toEqual({ above: "", below: "" });
  });
});

describe("axes", () => {
  it.each([false, true])("put values at pixels and back, logarithmic: %s", (log) => {
    const scale = { domain: [1, 1000], pixels: [60, 560], log } as const;
    for (const value of [1, 10, 437, 1000])
      expect(toValue(scale, toPixel(scale, value))).toBeCloseTo(value, 8);
    expect(zoomedTo(scale, 560, 60)).toEqual([expect.closeTo(1), expect.closeTo(1000)]);
    const [low, high] = zoomedAround(scale, 160, 0.5);
    expect(toPixel({ ...scale, domain: [low, high] }, toValue(scale, 160))).toBeCloseTo(160, 6);
  });

  it("fit what is shown: all, or the values of the zoomed part", () => {
    const model = modelOf([line("a", [0, 100, 5, 6, 100])]);
    const all = sceneOf(model);
    expect(all.x.domain).toEqual([1, 5]);
    expect(all.y.domain[1]).toBeGreaterThan(100);
    const part = sceneOf(model, { ...NO_PLOT_VIEWS, x: { generation: [3.2, 3.8] } });
    // The lines to the next positions are seen too.
    expect(part.y.domain[1]).toBeLessThan(7);
    expect(sceneOf(model, { ...NO_PLOT_VIEWS, y: { loss: [2, 3] } }).y.domain).toEqual([2, 3]);
    expect(sceneOf(model, { ...NO_PLOT_VIEWS, y: { other: [2, 3] } }).y).toEqual(all.y);
  });

  it("are logarithmic where all values are positive, and say why not elsewhere", () => {
    const views = { ...NO_PLOT_VIEWS, log: { loss: true } };
    expect(sceneOf(modelOf([line("a", [1, 1000])]), views).y).toMatchObject({
      log: true,
      ticks: [1, 10, 100, 1000],
    });
    const model = modelOf([line("a", [0, 1000])]);
    expect(sceneOf(model, views).y.log).toBe(false);
    expect(logProblem(model)).toBe("A logarithmic axis needs values above 0.");
    expect(logProblem(modelOf([line("a", [null, 2])]))).toBeNull();
  });

  it("have room for a single position and for none", () => {
    const [low, high] = sceneOf(modelOf([line("a", [7])])).x.domain;
    expect([low < 1, high > 1]).toEqual([true, true]);
    expect(sceneOf(modelOf([])).y.domain).toEqual([0, 1]);
  });

  it("look at long lines in blocks, with the same result", () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.integer({ min: -50, max: 50 })), { minLength: 600, maxLength: 1500 }),
        fc.nat(700),
        fc.nat(1500),
        fc.boolean(),
        (values, from, to, log) => {
          const part = values.slice(from, to).filter((value) => value !== null && !(log && value <= 0));
          const end = Math.min(values.length, Math.max(from, to));
          expect(rangeBetween(values, Math.min(from, end), end, log)).toEqual(
            part.length === 0
              ? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
              : [Math.min(...(part as number[])), Math.max(...(part as number[]))],
          );
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("the crosshair", () => {
  const model = modelOf([line("a", [1, null, null, 4, 5])]);

  it("goes to the nearest position that has a value", () => {
    expect([0, 1.9, 2.9, 9].map((x) => nearestPosition(model, x))).toEqual([0, 0, 3, 4]);
    expect(nearestPosition(modelOf([line("a", [null])]), 1)).toBeNull();
  });

  it("steps over positions without one, up to the ends", () => {
    expect([
      steppedPosition(model, null, 1),
      steppedPosition(model, 0, 1),
      steppedPosition(model, 3, -1),
      steppedPosition(model, 4, 10),
      steppedPosition(model, null, -1),
    ]).toEqual([0, 3, 0, 4, 4]);
  });
});

describe("files of a chart", () => {
  const dots = { label: "episode", x: [1.5], y: [9], colours: [3], radius: 2, group: "episodes" };
  const model = modelOf([line("a <b>", [1, null, 3]), line("c", [4, 5, 6])], { dots: [dots] });
  // Colours by their names, as the theme of a test.
  const theme = {
    colour: new Proxy({}, { get: (_, name) => String(name) }),
    members: Array.from({ length: 8 }, (_, slot) => `slot-${slot}`),
    fitness: [],
    font: "12px sans-serif",
  } as unknown as PlotTheme;

  it("have all values before smoothing as CSV, and a row for each dot", () => {
    expect(plotTable(model).split("\r\n")).toEqual([
      "generation,a <b>,c,episode",
      "1,1,4,",
      "2,,5,",
      "3,3,6,",
      "1.5,,,9",
      "",
    ]);
  });

  it("are a drawing with title, legend, axes, lines and dots, whose words are escaped", () => {
    const { svg } = plotDrawing(
      {
        title: "R&D",
        scene: sceneOf(model),
        legend: [{ label: "a <b>", mark: "line", colour: "accent" }],
      },
      theme,
      "white",
    );
    expect(svg).toContain("R&#38;D</text>");
    expect(svg).toContain("a &#60;b&#62;");
    expect(svg.match(/<path /g)).toHaveLength(2);
    expect(svg).toContain('fill="slot-3"');
    expect(svg).not.toContain("NaN");
  });

  it("have paths with gaps, unless lines are joined, and few points for each pixel", () => {
    const scene = sceneOf(model);
    expect(linePath(model.x, model.lines[0]?.values ?? [], scene).match(/M/g)).toHaveLength(2);
    const joined = { ...scene, content: { ...scene.content, joined: true } };
    expect(linePath(model.x, model.lines[0]?.values ?? [], joined).match(/M/g)).toHaveLength(1);
    const values = Array.from({ length: 50_000 }, (_, at) => (at === 31_111 ? 1000 : Math.sin(at)));
    const long = sceneOf(modelOf([line("a", values)]));
    const path = linePath(long.model.x, values, long);
    expect(path.match(/[ML]/g)?.length).toBeLessThan(5000);
    // The one value far above the others is drawn.
    expect(path).toContain(` ${toPixel(long.y, 1000).toFixed(1)}`);
  });
});
