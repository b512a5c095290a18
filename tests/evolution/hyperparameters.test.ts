import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RLParameter, type RLParameterOptions } from "../../src/evolution/index.ts";
import { HyperparameterConfig } from "../../src/evolution/members.ts";
import { Random } from "../../src/evolution/random.ts";
import { PPO_DEFINITION } from "../../src/rl/definitions.ts";

const outcomes = (parameter: RLParameter, value: number): number[] => {
  const random = new Random({ seed: 1 });
  return [...new Set(Array.from({ length: 60 }, () => parameter.mutate(value, random)))].sort(
    (a, b) => a - b,
  );
};

describe("RLParameter", () => {
  it("steps up or down by its factors inside its bounds", () => {
    expect(outcomes(new RLParameter({ min: 1e-4, max: 1e-2 }), 1e-3)).toEqual([8e-4, 1.2e-3]);
    expect(outcomes(new RLParameter({ min: 9e-4, max: 1.1e-3 }), 1e-3)).toEqual([9e-4, 1.1e-3]);
    expect(outcomes(new RLParameter({ min: 1, max: 100, grow_factor: 1 }), 50)).toEqual([40, 50]);
  });

  it("moves small integers, up as well as down", () => {
    const learnStep = new RLParameter({ min: 1, max: 16, grow_factor: 1.5, shrink_factor: 0.75 });
    expect(outcomes(learnStep, 1)).toEqual([1, 2]);
    expect(outcomes(learnStep, 2)).toEqual([1, 3]);
    // 50 * 1.1 is 55.00000000000001.
    expect(outcomes(new RLParameter({ min: 1, max: 100, grow_factor: 1.1 }), 50)).toEqual([40, 55]);
  });

  it("keeps to its bounds and, for integers, to integers", () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(number, number, number, fc.nat(), (a, b, value, seed) => {
        const [min, max] = [Math.min(a, b), Math.max(a, b)];
        const random = new Random({ seed });
        const next = new RLParameter({ min, max }).mutate(value, random);
        expect(next >= min && next <= max).toBe(true);
        if (Math.ceil(min) > Math.floor(max)) return;
        const whole = new RLParameter({ min, max, dtype: "int" }).mutate(Math.round(value), random);
        expect(Number.isInteger(whole) && whole >= min && whole <= max).toBe(true);
      }),
    );
  });

  it("takes a number for an integer only where its bounds are integers too, unless told", () => {
    expect(outcomes(new RLParameter({ min: 0, max: 1 }), 1)).toEqual([0.8, 1]);
    expect(outcomes(new RLParameter({ min: 0, max: 8, dtype: "float" }), 2)).toEqual([1.6, 2.4]);
    expect(outcomes(new RLParameter({ min: 0.5, max: 8.5, dtype: "int" }), 8)).toEqual([6, 8]);
  });

  /** The last hundred of so many steps, each with its own draw. */
  const walk = (parameter: RLParameter, start: number, steps = 400): number[] => {
    let value = start;
    const values = Array.from(
      { length: steps },
      (_, seed) => (value = parameter.mutate(value, new Random({ seed }))),
    );
    return values.slice(-100);
  };

  it.each<[string, { min: number; max: number; dtype?: "int" | "float" }, number]>([
    ["0 at the lower bound", { min: 0, max: 0.1 }, 0],
    ["0 at the lower bound, integers", { min: 0, max: 10 }, 0],
    ["0 at the upper bound", { min: -0.1, max: 0 }, 0],
    ["0 at the upper bound, integers", { min: -10, max: 0 }, 0],
    ["0 within", { min: -3, max: 3, dtype: "float" }, -2],
    ["0 within, integers", { min: -3, max: 3 }, -2],
    ["0 within, integers, far from the middle", { min: -1, max: 100 }, 0],
  ])("leaves 0 again: %s", (_name, range, start) => {
    const values = walk(new RLParameter(range), start);
    expect(new Set(values).size).toBeGreaterThan(2);
    expect(values.some((value) => value !== 0)).toBe(true);
    expect(values.every((value) => !Object.is(value, -0))).toBe(true);
  });

  it("passes 0 where it lies within the bounds", () => {
    for (const dtype of ["int", "float"] as const) {
      const values = walk(new RLParameter({ min: -3, max: 3, dtype }), -2);
      expect([values.some((value) => value < 0), values.some((value) => value > 0)]).toEqual([true, true]);
    }
  });

  it("steps from 0 by the size of the range, and not against its factors", () => {
    expect(outcomes(new RLParameter({ min: 0, max: 0.1 }), 0)).toEqual([0, 0.01]);
    expect(outcomes(new RLParameter({ min: 0, max: 40 }), 0)).toEqual([0, 4]);
    expect(outcomes(new RLParameter({ min: -50, max: 0 }), 0)).toEqual([-5, 0]);
    expect(outcomes(new RLParameter({ min: -10, max: 5, dtype: "float" }), 0)).toEqual(
      [-2, 2].map((x) => expect.closeTo(x)),
    );
    expect(outcomes(new RLParameter({ min: 0, max: 0.1, grow_factor: 1 }), 0)).toEqual([0]);
    expect(outcomes(new RLParameter({ min: 0, max: 0 }), 0)).toEqual([0]);
  });

  it("moves negative values by its factors, down away from 0 and up to it", () => {
    expect(outcomes(new RLParameter({ min: -3, max: -0.5 }), -1)).toEqual([-1.2, -0.8]);
    expect(outcomes(new RLParameter({ min: -9, max: -1 }), -1)).toEqual([-2, -1]);
  });

  it("gives the bits of a factor where the range has no 0, and for values beside it", () => {
    const bound = fc.double({ min: 1e-9, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(
        bound,
        bound,
        bound,
        fc.boolean(),
        fc.boolean(),
        fc.nat(),
        (a, b, value, minus, zero, seed) => {
          const sign = minus ? -1 : 1;
          const [near, far] = [zero ? 0 : sign * Math.min(a, b), sign * Math.max(a, b)];
          const [min, max] = [Math.min(near, far), Math.max(near, far)];
          const start = sign * value;
          const factor = new Random({ seed }).uniform() < 0.5 ? 1.2 : 0.8;
          const next = new RLParameter({ min, max, dtype: "float" }).mutate(start, new Random({ seed }));
          expect(next).toBe(Math.min(Math.max(start * factor, min), max));
        },
      ),
    );
  });

  it("refuses what makes no sense, naming the field", () => {
    expect(() => new RLParameter({ min: 2, max: 1 })).toThrow(
      /RLParameter\.min: found 2, allowed at most max/,
    );
    expect(() => new RLParameter({ min: 0, max: 1, grow_factor: 0.9 })).toThrow(/grow_factor/);
    expect(() => new RLParameter({ min: 0, max: 1, shrink_factor: 1.1 })).toThrow(/shrink_factor/);
    expect(() => new RLParameter({ min: Number.NaN, max: 1 })).toThrow(/RLParameter\.min/);
    expect(() => new RLParameter({ min: 0.2, max: 0.8, dtype: "int" })).toThrow(/integer/);
  });
});

describe("HyperparameterConfig", () => {
  const config = new HyperparameterConfig({
    lr: new RLParameter({ min: 1e-4, max: 1e-2 }),
    batch_size: new RLParameter({ min: 8, max: 512 }),
  });

  it("draws each of its hyperparameters alike and changes one", () => {
    const counts = { lr: 0, batch_size: 0 };
    for (let slot = 0; slot < 400; slot++) {
      const step = config.mutate({ lr: 1e-3, batch_size: 64, gamma: 0.99 }, new Random({ seed: 4, slot }));
      const { name, value } = step as { name: "lr" | "batch_size"; value: number };
      counts[name]++;
      expect(name === "lr" ? [8e-4, 1.2e-3] : [51, 77]).toContain(value);
    }
    expect(counts.lr).toBeGreaterThan(160);
    expect(counts.batch_size).toBeGreaterThan(160);
    expect(new HyperparameterConfig().mutate({ lr: 1 }, new Random({ seed: 1 }))).toBeNull();
  });

  it("keeps no state: the same draws from the same values", () => {
    const step = () => config.mutate({ lr: 1e-3, batch_size: 64 }, new Random({ seed: 9 }));
    expect(step()).toEqual(step());
  });

  it("reads the selection of a mutation spec, with integers from the algorithm's fields", () => {
    const range = { min: 0.5, max: 8, grow_factor: 1.5, shrink_factor: 0.5 };
    const selected = HyperparameterConfig.fromSelection({ policy_freq: range, lr: range }, [
      { name: "policy_freq", kind: "int" },
      { name: "lr", kind: "float" },
    ]);
    expect(selected.names).toEqual(["policy_freq", "lr"]);
    expect(outcomes(selected.parameters.policy_freq as RLParameter, 1)).toEqual([1, 2]);
    expect(outcomes(selected.parameters.lr as RLParameter, 1)).toEqual([0.5, 1.5]);
  });

  it("refuses entries that are no parameters, and hyperparameters that a member lacks", () => {
    const wrong: Record<string, unknown> = { lr: { min: 0, max: 1 } };
    expect(() => new HyperparameterConfig(wrong as Record<string, RLParameter>)).toThrow(
      /HyperparameterConfig\.lr: found Object, allowed RLParameter/,
    );
    expect(() => config.check({ lr: 1e-3 })).toThrow(/unknown hyperparameter "batch_size"; allowed: lr/);
    expect(() => config.check({ lr: 1e-3, batch_size: true })).toThrow(TypeError);
    expect(() => config.check({ lr: 1e-3, batch_size: 8 })).not.toThrow();
  });

  it.each([
    ["learn_step", { min: 0, max: 8 }, "hp_config.learn_step.min: found 0; learn_step must be at least 1"],
    ["batch_size", { min: 0, max: 8 }, "hp_config.batch_size.min: found 0; batch_size must be at least 1"],
    ["gamma", { min: 0.9, max: 5 }, "hp_config.gamma.max: found 5; gamma must be at most 1"],
    [
      "num_envs",
      { min: 1, max: 8 },
      /^hp_config\.num_envs: "num_envs" of PPO cannot mutate; allowed: batch_size, learn_step, /,
    ],
  ])("refuses a range of %s that the algorithm's field does not have", (name, range, message) => {
    const values = { learn_step: 128, batch_size: 64, gamma: 0.99, num_envs: 4 };
    const wide = new HyperparameterConfig({ [name]: new RLParameter(range) });
    expect(() => wide.check(values, PPO_DEFINITION)).toThrow(message);
    expect(() => wide.check(values)).not.toThrow();
    const kept = new HyperparameterConfig({ gamma: new RLParameter({ min: 0, max: 1 }) });
    expect(() => kept.check(values, PPO_DEFINITION)).not.toThrow();
  });

  it("gives only integers to the algorithm's integer fields", () => {
    const values = { learn_step: 128, update_epochs: 1 };
    const of = (name: string, options: RLParameterOptions) =>
      new HyperparameterConfig({ [name]: new RLParameter(options) }).check(values, PPO_DEFINITION);
    expect(
      outcomes(of("update_epochs", { min: 1, max: 2 }).parameters.update_epochs as RLParameter, 1),
    ).toEqual([1, 2]);
    expect(
      outcomes(of("learn_step", { min: 1.5, max: 8.5 }).parameters.learn_step as RLParameter, 8),
    ).toEqual([6, 8]);
    const refused: [RLParameterOptions, string][] = [
      [
        { min: 1, max: 8, choices: [1, 1.5] },
        "hp_config.update_epochs.choices: found 1.5; update_epochs is an",
      ],
      [{ min: 1.2, max: 1.8 }, "hp_config.update_epochs.min: found 1.2; update_epochs is an integer"],
      [{ min: 1, max: 8, dtype: "float" }, "hp_config.update_epochs.dtype: found float"],
    ];
    for (const [options, message] of refused) expect(() => of("update_epochs", options)).toThrow(message);
  });
});
