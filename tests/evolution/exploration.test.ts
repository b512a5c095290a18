/** Truncation, halving, and the ranges that members explore. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  HalvingSelection,
  HyperparameterConfig,
  Mutations,
  Random,
  RLParameter,
  TruncationSelection,
} from "../../src/evolution/index.ts";
import { Member } from "./support.ts";

const LR = new RLParameter({ min: 1e-5, max: 1e-2, scale: "log", initial: "log_uniform" });
const GAMMA = new RLParameter({ min: 0.9, max: 0.9999, scale: "one_minus", initial: "log_uniform" });
const STEPS = new RLParameter({ min: 1, max: 32, dtype: "int", scale: "log", initial: "log_uniform" });
const CHOICE = new RLParameter({ min: 16, max: 256, dtype: "int", choices: [16, 64, 256] });
const hp_config = new HyperparameterConfig({ lr: LR, gamma: GAMMA, steps: STEPS, choice: CHOICE });
const hyperparameters = { lr: 1e-3, gamma: 0.99, steps: 8, choice: 64 };

const members = (fitnesses: readonly number[]): Member[] =>
  fitnesses.map((fitness, index) => new Member(index, [fitness], { hp_config, hyperparameters }));

const seeds = fc.integer({ min: 0, max: 1e6 });
const fitness = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(Number.NaN));

/** Counts of the draws whose position on the scale, 0 to 1, lies in each tenth. */
function tenths(parameter: RLParameter, position: (value: number) => number): number[] {
  const counts = Array<number>(10).fill(0);
  for (let slot = 1; slot <= 5000; slot++) {
    const value = Number(parameter.draw(new Random({ seed: 3, stream: "initial", slot })));
    const at = Math.min(9, Math.floor(10 * position(value)));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

describe("a range", () => {
  it.each([
    ["log", LR, (value: number) => Math.log(value / 1e-5) / Math.log(1e3)],
    ["one_minus", GAMMA, (value: number) => Math.log((1 - value) / 0.1) / Math.log(1e-3)],
    [
      "linear",
      new RLParameter({ min: -1, max: 3, dtype: "float", initial: "uniform" }),
      (value: number) => (value + 1) / 4,
    ],
  ] as const)("has initial values that are uniform on its scale: %s", (_name, parameter, position) => {
    // 500 are expected in each tenth, with a standard deviation of 21.
    for (const count of tenths(parameter, position)) expect(Math.abs(count - 500)).toBeLessThan(100);
  });

  it.each([
    ["log", LR, 1e-3, (value: number) => value],
    ["one_minus", GAMMA, 0.99, (value: number) => 1 - value],
  ] as const)("has initial values around the given one, and a share from all of it: %s", (...args) => {
    const [, { min, max, scale }, given, distance] = args;
    const wide = new HyperparameterConfig({ x: new RLParameter({ min, max, scale, initial: "log_normal" }) });
    const draws = Array.from({ length: 4000 }, (_, slot) =>
      Number(wide.draw(new Random({ seed: 3, stream: "initial", slot }), { x: given }).x),
    );
    const places = draws.map((value) => Math.log(distance(value) / distance(given)) / Math.log(3));
    // Of a normal distribution, .683 lie within a deviation; of the whole range, 3 decades, .318.
    const near = places.filter((place) => Math.abs(place) < 1).length / draws.length;
    expect(near).toBeCloseTo(0.75 * 0.683 + 0.25 * ((2 * Math.log(3)) / Math.log(1e3)), 1.5);
    expect(draws.every((value) => value >= min && value <= max)).toBe(true);
  });

  it("draws from all of it where the given value has no place on its scale", () => {
    const parameter = new RLParameter({ min: 1e-5, max: 1e-2, scale: "log", initial: "log_normal" });
    const one = (slot: number) => new Random({ seed: 3, slot });
    expect(parameter.draw(one(1), 0)).toBe(LR.draw(one(1)));
  });

  it.each([
    ["log", 1, 4],
    ["log", 4, 16],
    ["linear", 1, 4],
    ["linear", -2, 2],
    ["one_minus", -4, 0],
  ] as const)("gives each integer its share of a %s scale, the ends too: %i to %i", (scale, min, max) => {
    const initial = scale === "linear" ? "uniform" : "log_uniform";
    const parameter = new RLParameter({ min, max, dtype: "int", scale, initial });
    const place = (value: number): number =>
      scale === "linear" ? value : Math.log(scale === "log" ? value : 1 - value);
    const width = place(max + 0.5) - place(min - 0.5);
    const draws = Array.from({ length: 20_000 }, (_, slot) => parameter.draw(new Random({ seed: 5, slot })));
    for (let k = min; k <= max; k++) {
      const share = (place(k + 0.5) - place(k - 0.5)) / width;
      // The standard deviation of a share is at most 0.0036.
      expect(draws.filter((value) => value === k).length / draws.length).toBeCloseTo(share, 1.9);
    }
  });

  const FAR = [
    ["log", 5e-324, 0.01],
    ["log", 1e-200, 1e200],
    ["log", 5e-324, 1.7e308],
    ["one_minus", -1.7e308, 1 - 2 ** -53],
    ["linear", -1.7e308, 1.7e308],
    ["linear", 0, 2 ** 53],
  ] as const;

  it.each(FAR)(
    "is drawn from and stepped in however far apart its ends are: %s, %d to %d",
    (scale, min, max) => {
      const initial = scale === "linear" ? "uniform" : "log_uniform";
      const parameter = new RLParameter({ min, max, scale, initial });
      const random = new Random({ seed: 1 });
      const draws = Array.from({ length: 200 }, () => Number(parameter.draw(random)));
      const steps = draws.map((value) => parameter.mutate(value, random));
      expect([...draws, ...steps].every((value) => value >= min && value <= max)).toBe(true);
      expect(new Set(draws).size).toBeGreaterThan(150);
    },
  );

  it.each(FAR.slice(0, 3))("is uniform on its scale there too: %s, %d to %d", (scale, min, max) => {
    const parameter = new RLParameter({ min, max, scale, initial: "log_uniform" });
    const middle = (Math.log(min) + Math.log(max)) / 2;
    const draws = Array.from({ length: 200 }, (_, slot) =>
      Number(parameter.draw(new Random({ seed: 1, slot }))),
    );
    // The standard deviation is 7.
    expect(Math.abs(draws.filter((value) => Math.log(value) <= middle).length - 100)).toBeLessThan(30);
  });

  it("has one value where its ends are the same", () => {
    for (const scale of ["linear", "log"] as const) {
      const parameter = new RLParameter({ min: 0.01, max: 0.01, scale, initial: "log_uniform" });
      expect(parameter.draw(new Random({ seed: 1 }))).toBe(0.01);
    }
  });

  it("keeps draws and steps within its bounds, and integers whole", () => {
    fc.assert(
      fc.property(seeds, fc.double({ min: 0, max: 1, noNaN: true }), (seed, resample) => {
        const random = new Random({ seed });
        const values = hp_config.explore(hyperparameters, random, { resample, perturb: [0.8, 1.25] });
        for (const [name, { min, max }] of Object.entries(hp_config.parameters)) {
          expect(values[name]).toBeGreaterThanOrEqual(min);
          expect(values[name]).toBeLessThanOrEqual(max);
        }
        expect(Number.isInteger(values.steps)).toBe(true);
        expect([16, 64, 256]).toContain(values.choice);
      }),
    );
  });

  it("steps by factors on its scale, and to a neighbour among choices", () => {
    const step = (parameter: RLParameter, value: number) =>
      new Set(
        Array.from({ length: 40 }, (_, seed) =>
          parameter.explore(value, new Random({ seed }), { resample: 0, perturb: [0.5, 2] }),
        ),
      );
    expect(step(LR, 1e-3)).toEqual(new Set([5e-4, 2e-3]));
    expect([...step(GAMMA, 0.99)].map((value) => value.toFixed(6)).toSorted()).toEqual([
      "0.980000",
      "0.995000",
    ]);
    expect(step(CHOICE, 64)).toEqual(new Set([16, 256]));
    expect(step(CHOICE, 256)).toEqual(new Set([64, 256]));
  });

  it.each([
    [{ min: 0, max: 1, scale: "log" }, "RLParameter.min: found 0"],
    [{ min: 0, max: 1, initial: "log_uniform" }, "RLParameter.min: found 0"],
    [{ min: 0.9, max: 1, scale: "one_minus" }, "RLParameter.max: found 1"],
    [{ min: 1, max: 2, choices: [1, 3] }, "RLParameter.choices: found 1, 3"],
    [{ min: 16, max: 64, dtype: "int", choices: [16, 32.5, 64] }, "RLParameter.choices: found 32.5"],
    [{ min: 1, max: 9, dtype: "int", value: 1.5 }, "RLParameter.value: found 1.5"],
    [{ min: 1, max: 9, value: Number.NaN }, "RLParameter.value: found NaN"],
    [{ min: 4, max: 4, choices: [4] }, "RLParameter.choices: found 4, allowed two"],
    [{ min: 4, max: 4, choices: [] }, "RLParameter.choices: found none"],
  ] as const)("is refused: %o", (options, message) => {
    expect(() => new RLParameter(options)).toThrow(message);
  });
});

describe("a category", () => {
  const double = new RLParameter({ min: 0, max: 1, choices: [false, true], initial: "uniform" });
  const target = new RLParameter({ min: 0, max: 2, choices: ["soft", "hard", "none"] });
  const named = new HyperparameterConfig({ double, target });
  const values = { double: true, target: "hard" };
  const each = <T>(draw: (random: Random) => T) =>
    new Set(Array.from({ length: 40 }, (_, seed) => draw(new Random({ seed }))));

  it("is drawn, becomes any other when it mutates, and in a copy stays unless it is drawn", () => {
    expect(each((random) => named.draw(random).double)).toEqual(new Set([false, true]));
    expect(named.draw(new Random({ seed: 1 }))).not.toHaveProperty("target");
    expect(each((random) => target.mutate("hard", random))).toEqual(new Set(["soft", "none"]));
    const explored = (resample: number) =>
      each((random) => named.explore(values, random, { resample, perturb: [0.8, 1.25] }).target);
    expect(explored(0)).toEqual(new Set(["hard"]));
    expect(explored(1)).toEqual(new Set(["soft", "hard", "none"]));
  });

  it("is what a member has to have, and numbers elsewhere", () => {
    expect(() => named.check({ double: 1, target: "hard" })).toThrow(
      'hyperparameter "double": found number, allowed one of false, true',
    );
    expect(() => hp_config.check({ ...hyperparameters, lr: true })).toThrow("found boolean, allowed numbers");
  });

  it.each([
    [{ min: 0, max: 0, choices: [true] }, "RLParameter.choices: found true, allowed two"],
    [{ min: 0, max: 1, choices: [true, true] }, "RLParameter.choices: found true, true, allowed two"],
    [{ min: 0, max: 1, choices: [1, "a"] }, "RLParameter.choices: found 1, a"],
    [{ min: 1, max: 2, choices: ["a", "b"], scale: "log" }, "RLParameter.choices: found a, b"],
  ] as const)("is refused: %o", (options, message) => {
    expect(() => new RLParameter(options)).toThrow(message);
  });
});

describe("truncation selection", () => {
  it("touches the losers only, and moves their hyperparameters", () => {
    fc.assert(
      fc.property(fc.array(fitness, { minLength: 4, maxLength: 12 }), seeds, (fitnesses, rand_seed) => {
        const population = members(fitnesses);
        const selection = new TruncationSelection({ population_size: population.length, rand_seed });
        const { population: next, indices } = selection.select(population, { generation: 3 });
        const again = selection.select(population, { generation: 3 });
        expect(again.population).toEqual(next);
        const fit = fitnesses.filter((value) => !Number.isNaN(value));
        const kept = next.filter((_member, slot) => !indices?.includes(slot));
        const copies = next.filter((_member, slot) => indices?.includes(slot));
        expect(kept).toEqual(kept.map(({ index }) => population[index]?.clone()));
        for (const copy of copies) {
          expect(copy.index).toBeGreaterThanOrEqual(population.length);
          expect(copy.hyperparameters).not.toEqual(hyperparameters);
        }
        const isFitter = (slot: number): boolean => {
          const [own = Number.NaN, parent = Number.NaN] = [fitnesses[slot], next[slot]?.fitness.at(-1)];
          return Number.isNaN(own) || parent > own;
        };
        expect(indices?.every(isFitter)).toBe(true);
        // A member that failed is replaced whenever there is another.
        const failed = fitnesses.flatMap((value, slot) => (Number.isNaN(value) ? [slot] : []));
        expect(indices).toEqual(expect.arrayContaining(fit.length > 0 ? failed : []));
      }),
    );
  });

  it("leaves equals alone, and members that rest", () => {
    const selection = new TruncationSelection({ population_size: 4 });
    expect(selection.select(members([1, 1, 1, 1])).indices).toEqual([]);
    expect(selection.select(members([9, 1, 2, 3]), { resting: [1, 2] }).indices).toEqual([]);
    const six = new TruncationSelection({ population_size: 6, quantile: 0.5 });
    expect(six.select(members([9, 1, 2, 3, 8, 7]), { resting: [1] }).indices).toEqual([2, 3]);
  });

  it("labels its copies, which mutation keeps unless it changes them", () => {
    const still = {
      no_mutation: 1,
      architecture: 0,
      new_layer_prob: 0,
      parameters: 0,
      activation: 0,
      rl_hp: 0,
    };
    const {
      population,
      indices,
      labels = new Map(),
    } = new TruncationSelection({
      population_size: 4,
    }).select(members([4, 3, 2, 1]));
    new Mutations(still).mutation(population, { indices, labels });
    expect(population.map(({ mut }) => mut)).toEqual(["None", "None", "None", "explore"]);
    new Mutations({ ...still, no_mutation: 0, parameters: 1 }).mutation(population, { indices, labels });
    expect(population.map(({ mut }) => mut)).toEqual(["None", "None", "None", "param"]);
  });

  it.each([
    [{ population_size: 3 }, "TruncationSelection.quantile: found 0.25"],
    [{ population_size: 8, quantile: 0.6 }, "TruncationSelection.quantile: found 0.6"],
    [{ population_size: 8, resample: 2 }, "TruncationSelection.resample: found 2"],
    [
      { population_size: 8, perturb: [1.1, 1.2] },
      "TruncationSelection.perturb[0]: found 1.1; must be at most 1",
    ],
  ] as const)("is refused: %o", (options, message) => {
    expect(() => new TruncationSelection(options)).toThrow(message);
  });
});

describe("halving", () => {
  it("keeps the fittest at each cut, and lets the others rest for good", () => {
    fc.assert(
      fc.property(fc.array(fitness, { minLength: 8, maxLength: 8 }), (fitnesses) => {
        const population = members(fitnesses);
        const selection = new HalvingSelection({ population_size: 8, rung: 2 });
        let resting: readonly number[] = [];
        for (let generation = 1; generation <= 8; generation++) {
          const result = selection.select(population, { generation, resting });
          const now = result.resting ?? [];
          expect(now).toEqual(expect.arrayContaining([...resting]));
          expect(result.population.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
          expect(8 - now.length).toBeLessThanOrEqual(selection.activeIn(generation + 1));
          expect(now.length).toBeLessThan(8);
          const active = fitnesses.filter((_value, slot) => !now.includes(slot));
          const rest = now
            .map((slot) => fitnesses[slot] ?? Number.NaN)
            .filter((value) => !Number.isNaN(value));
          expect(Math.min(...active)).toBeGreaterThanOrEqual(Math.max(-Infinity, ...rest));
          resting = now;
        }
        expect(resting).toHaveLength(7);
      }),
    );
  });

  it("is followed by another selection after its last cut", () => {
    const followed_by = new TruncationSelection({ population_size: 4 });
    const selection = new HalvingSelection({ population_size: 8, rung: 3, smallest: 4, followed_by });
    const population = members([1, 2, 3, 4, 5, 6, 7, 8]);
    const cut = selection.select(population, { generation: 3 });
    expect([cut.resting, cut.indices]).toEqual([[0, 1, 2, 3], []]);
    const after = selection.select(population, { generation: 4, resting: cut.resting ?? [] });
    expect([after.resting, after.indices]).toEqual([[0, 1, 2, 3], [4]]);
    expect([1, 3, 4, 9].map((generation) => selection.activeIn(generation))).toEqual([8, 8, 4, 4]);
  });

  it("refuses a population that no cuts bring to its smallest size", () => {
    expect(() => new HalvingSelection({ population_size: 6 })).toThrow(
      "found 6, allowed smallest (1) times a power of factor (2)",
    );
  });
});
