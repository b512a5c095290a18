import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { templates } from "../../../src/manifests/templates.ts";
import { thinned } from "../../../src/tracking/history.ts";
import type { LayerStructure, NetworkStructure } from "../../../src/tracking/observer.ts";
import { hasDots, type PlotModel, readoutOf } from "../../../src/ui/components/plot/PlotModel.ts";
import { plotContent, valueRange } from "../../../src/ui/components/plot/plotScene.ts";
import { RowSpread } from "../../../src/ui/pages/run/charts/descentModel.ts";
import { lineageFate, lineageGraph } from "../../../src/ui/pages/run/descent/LineageGraph.ts";
import * as parallel from "../../../src/ui/pages/run/hyperparameters/parallel.ts";
import { metricPlots, stepsPerSecond } from "../../../src/ui/pages/run/metrics/metricPlots.ts";
import { alignLayers, pairNetworks } from "../../../src/ui/pages/run/network/networkDiff.ts";
import { structureOf, structureOfText } from "../../../src/ui/pages/run/network/useNetworks.ts";
import {
  hyperparameterRanges,
  suitsLog,
  tunedHyperparameters,
} from "../../../src/ui/series/hyperparameterRanges.ts";
import { lineageColours } from "../../../src/ui/series/lineageColours.ts";
import { fitnessScale, fitnessStep } from "../../../src/ui/series/scales.ts";
import { historyOf } from "../support/histories.ts";
import { FakeCoordinator } from "./support/fakeCoordinator.ts";

/** Reports of a run that only pretends to train. */
function fakeReports(generations: number) {
  const run = new FakeCoordinator().add({ training: { pop_size: 6, max_steps: 1e9 } });
  for (let generation = 0; generation < generations; generation += 1) run.generation();
  return run.generations;
}

describe("fitness in steps", () => {
  it("goes from the lowest to the highest, and is not stretched by outliers", () => {
    const scale = fitnessScale([...Array.from({ length: 100 }, (_, value) => value), 1e9, Number.NaN]);
    expect(scale.high).toBeLessThan(101);
    expect([fitnessStep(scale, -5), fitnessStep(scale, 50), fitnessStep(scale, 1e9)]).toEqual([0, 3, 6]);
    expect(fitnessStep(scale, Number.NaN)).toBe(-1);
    expect(fitnessStep(fitnessScale([4, 4]), 4)).toBe(3);
  });
});

describe("RowSpread", () => {
  it("has the quartiles of each generation, and gaps where there is no number", () => {
    const spread = new RowSpread();
    const values = Float64Array.of(1, 2, 3, 4, 5, Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN);
    spread.catchUp(values.subarray(0, 5), 5);
    spread.catchUp(values, 5);
    expect(spread.part("median")).toEqual([3, null]);
    expect([spread.part("min")[0], spread.part("q1")[0], spread.part("max")[0]]).toEqual([1, 2, 5]);
  });
});

describe("hyperparameters to be shown", () => {
  it("takes the ranges of the manifest, or the algorithm's own", () => {
    const given = {
      algorithm: { name: "DQN" },
      environment: { name: "CartPole-v1" },
      mutation: { rl_hp_selection: { lr: { min: 1e-5, max: 1e-2 } } },
    };
    expect(hyperparameterRanges(given)).toMatchObject({ lr: { min: 1e-5, max: 1e-2 } });
    const own = hyperparameterRanges({ ...given, mutation: {} });
    expect(own.lr?.max).toBeGreaterThan(own.lr?.min ?? 0);
    expect(hyperparameterRanges({ algorithm: "nonsense" })).toEqual({});
    expect(Object.keys(hyperparameterRanges(templates[0]?.manifest)).length).toBeGreaterThan(0);
  });

  it("leaves out what neither mutates nor differs, and has a logarithmic axis for wide ranges", () => {
    const hyperparameters = {
      gamma: Float64Array.of(0.99, 0.99),
      tau: Float64Array.of(0.01, 0.02),
      lr: Float64Array.of(0.001, 0.001),
    };
    const tuned = tunedHyperparameters(
      { hyperparameters },
      { lr: { min: 1e-5, max: 1e-2 }, n: { min: 1, max: 2 } },
    );
    expect(tuned).toEqual([
      { name: "lr", range: { min: 1e-5, max: 1e-2 }, log: true },
      { name: "tau", range: null, log: false },
    ]);
    expect(suitsLog({ min: 0, max: 10 })).toBe(false);
  });
});

describe("parallel coordinates", () => {
  const lr = parallel.dimensionOf("lr", Float64Array.of(1e-4, 1e-3, 1e-2, Number.NaN));
  const batch = parallel.dimensionOf("batch", Float64Array.of(8, 64, 32, 16), { min: 4, max: 64 });
  if (lr === null || batch === null) throw new Error("The columns have numbers.");

  it("puts values on linear and logarithmic axes, and reads them back", () => {
    expect(parallel.shareOf(lr, true, 1e-3)).toBeCloseTo(0.5, 9);
    expect(parallel.shareOf(batch, false, 34)).toBeCloseTo(0.5, 9);
    fc.assert(
      fc.property(fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }), (log, share) => {
        for (const dimension of [lr, batch])
          expect(parallel.shareOf(dimension, log, parallel.valueAt(dimension, log, share))).toBeCloseTo(
            share,
            6,
          );
      }),
    );
    expect(parallel.shareOf(lr, false, Number.NaN)).toBeNaN();
  });

  it("lets through what lies within every brush", () => {
    const axes = [
      { dimension: lr, setting: { name: "lr", shown: true, log: true, brush: { min: 5e-4, max: 1 } } },
      { dimension: batch, setting: { name: "batch", shown: true, log: false, brush: { min: 0, max: 40 } } },
    ];
    expect([0, 1, 2, 3].filter((cell) => parallel.passes(cell, axes))).toEqual([2]);
  });

  it("keeps settings and order as dimensions come and go", () => {
    const start = parallel.settingsFor([lr, batch], []);
    expect(start.map(({ name, log }) => [name, log])).toEqual([
      ["lr", true],
      ["batch", false],
    ]);
    const swapped = parallel.moved(start, "batch", -1);
    expect(swapped.map(({ name }) => name)).toEqual(["batch", "lr"]);
    expect(parallel.moved(swapped, "batch", -1)).toEqual(swapped);
    expect(parallel.settingsFor([lr, batch], swapped)).toBe(swapped);
    expect(parallel.settingsFor([lr], swapped).map(({ name }) => name)).toEqual(["lr"]);
    const hidden = parallel.withSetting(
      [...start, { name: "x", shown: true, log: false, brush: null }],
      "batch",
      {
        shown: false,
      },
    );
    expect(parallel.moved(hidden, "lr", 1).map(({ name }) => name)).toEqual(["batch", "x", "lr"]);
  });

  it("draws no more lines than it may, the last among them", () => {
    const cells = Array.from({ length: 1000 }, (_, cell) => cell);
    expect(thinned(cells, 2000)).toBe(cells);
    const few = thinned(cells, 10);
    expect(few).toHaveLength(10);
    expect(few.at(-1)).toBe(999);
    expect(new Set(few).size).toBe(10);
  });
});

describe("charts", () => {
  const model: PlotModel = {
    axis: "time",
    x: [1, 2],
    lines: [
      { label: "elite", values: [3, null], colour: "elite", width: 2 },
      { label: "edge", values: [1, 9], colour: "accent", width: 0 },
    ],
    bounds: [20],
    marks: [{ x: 2, label: "set by hand" }],
    format: String,
    formatX: String,
  };

  it("show bounds and lines in full", () => {
    const content = plotContent(model, { smoothing: 0, hidden: [] });
    const [low, high] = valueRange(content, [1, 2], [20], false);
    expect(low).toBeLessThan(1);
    expect(high).toBeGreaterThan(20);
    const [lowest, highest] = valueRange({ ...content, lines: [] }, [1, 2], [], false);
    expect(highest).toBeGreaterThan(lowest);
    expect(valueRange(content, [1, 2], [0, 5], true)[0]).toBeGreaterThan(0);
  });

  it("read out what is under the pointer", () => {
    expect(readoutOf(model, 0)).toBe("1: elite 3");
    expect(readoutOf({ ...model, axis: "generation" }, 0)).toBe("generation 1: elite 3");
    expect(readoutOf(model, 1)).toBe("2: set by hand");
    expect(readoutOf(model, null)).toBe("");
  });
});

it("shows values as dots where a line has one, or few among many generations", () => {
  expect(hasDots([null, 3, null])).toBe(true);
  expect(hasDots([1, 2, 3], true)).toBe(false);
  expect(hasDots([1, null, 3], true)).toBe(true);
  expect(hasDots([1, null, 3])).toBe(false);
  expect(hasDots([null, null], true)).toBe(false);
  const many = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? at : null));
  expect(hasDots(many, true)).toBe(false);
});

describe("metricPlots", () => {
  const columns = historyOf(fakeReports(5));
  const graph = lineageGraph(columns);
  const all = {
    columns,
    graph,
    fate: lineageFate(graph, columns, 4),
    colours: lineageColours(columns),
    selected: null,
  };

  it("has a chart for every metric that is told, and none for others", () => {
    const names = metricPlots(all, new Map()).map(({ name }) => name);
    expect(names).toEqual(["fitness", "score", "loss", "throughput", "generation time"]);
  });

  it("call the fitness of a game its rating", () => {
    const [first] = metricPlots(all, new Map(), "rating");
    expect([first?.name, first?.value]).toEqual(["rating", "rating"]);
  });

  it("follows the elite's descent in every chart of members", () => {
    const fitness = metricPlots(all, new Map()).find(({ name }) => name === "fitness");
    const elite = fitness?.model().lines.find(({ label }) => label === "elite");
    expect(elite?.values).toEqual(Array.from(all.fate.elite, (cell) => columns.fitness[cell]));
    expect(fitness?.column().values).toHaveLength(5);
  });

  it("counts the steps between two generations", () => {
    expect(
      stepsPerSecond({ global_step: Float64Array.of(100, 300, 300), seconds: Float64Array.of(2, 4, 0) }),
    ).toEqual([50, 50, Number.NaN]);
  });
});

const layer = (kind: string, width: number): LayerStructure => ({
  kind,
  width,
  activation: "ReLU",
  norm: false,
  parameters: width,
});

describe("networks against the parent's", () => {
  const layers = fc.array(
    fc
      .record({ kind: fc.constantFrom("linear", "conv"), width: fc.integer({ min: 1, max: 300 }) })
      .map(({ kind, width }) => layer(kind, width)),
    { maxLength: 7 },
  );

  it("show every layer of both once, in order", () => {
    fc.assert(
      fc.property(layers, layers, (now, before) => {
        const pairs = alignLayers(now, before);
        expect(pairs.flatMap((pair) => pair.now ?? [])).toEqual(now);
        expect(pairs.flatMap((pair) => pair.before ?? [])).toEqual(before);
        for (const pair of pairs) expect(pair.now ?? pair.before).not.toBeNull();
      }),
    );
  });

  it("find one layer that was added or removed, wherever it is", () => {
    fc.assert(
      fc.property(layers, fc.nat(), fc.integer({ min: 301, max: 400 }), (before, place, width) => {
        const at = place % (before.length + 1);
        const now = before.toSpliced(at, 0, layer("linear", width));
        const added = alignLayers(now, before).filter((pair) => pair.before === null);
        expect(added.map((pair) => pair.now)).toEqual([layer("linear", width)]);
        const removed = alignLayers(before, now).filter((pair) => pair.now === null);
        expect(removed.map((pair) => pair.before)).toEqual([layer("linear", width)]);
      }),
    );
  });

  it("find nothing new where no parent is known, and all of a network that the parent lacks", () => {
    const actor: NetworkStructure = { name: "actor", layers: [layer("linear", 3)], parameters: 3 };
    const [alone] = pairNetworks([actor], null);
    expect(alone).toEqual({
      name: "actor",
      parameters: 3,
      before: null,
      layers: [{ now: actor.layers[0], before: actor.layers[0] }],
    });
    const [fresh] = pairNetworks([actor], []);
    expect(fresh?.layers).toEqual([{ now: actor.layers[0], before: null }]);
  });
});

describe("structureOf", () => {
  const reports = fakeReports(12);
  const columns = historyOf(reports);
  const graph = lineageGraph(columns);

  it("finds what the nearest ancestor tells, reading few generations", async () => {
    const asked = new Set<number>();
    const read = async (generation: number) => {
      asked.add(generation);
      return reports[generation - 1];
    };
    for (let cell = 11 * 6; cell < 12 * 6; cell += 1) {
      let expected: readonly NetworkStructure[] | undefined;
      for (let at = cell; at >= 0 && expected === undefined; at = graph.before(at))
        expected = reports[Math.floor(at / 6)]?.members[at % 6]?.network;
      expect(await structureOf(columns, graph, cell, read)).toEqual(expected);
    }
    expect(asked.size).toBeLessThan(12);
  });

  it("finds nothing in logs that do not tell", async () => {
    expect(await structureOf(columns, graph, 70, async () => undefined)).toBeNull();
  });

  it("reads the widths of older logs", () => {
    expect(structureOfText("64-32 | 16 | 8")[0]?.layers.map(({ width }) => width)).toEqual([64, 32, 16, 8]);
    expect(structureOfText("")).toEqual([]);
  });
});
