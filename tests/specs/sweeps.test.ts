/** Sweeps as files and objects: what they expand to, and what is refused where. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { expandSweep, parseSweep, SpecError } from "../../src/manifests/index.ts";

const DQN = { algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" } };

const runsOf = (sweep: Parameters<typeof parseSweep>[0], manifest: Parameters<typeof expandSweep>[1] = DQN) =>
  expandSweep(parseSweep(sweep), manifest);

/** The issues of a sweep that is refused. */
function issuesOf(sweep: Parameters<typeof parseSweep>[0], manifest?: Parameters<typeof expandSweep>[1]) {
  try {
    runsOf(sweep, manifest);
  } catch (error) {
    if (error instanceof SpecError) return error.issues.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
  throw new Error("was accepted");
}

test("trains every combination of values with every seed, each once", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(fc.constantFrom("CartPole-v1", "Acrobot-v1", "MountainCar-v0"), { minLength: 1 }),
      fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 4 }),
      (thousandths, environments, seeds) => {
        const rates = thousandths.map((rate) => rate / 1000);
        const sweep = { "algorithm.lr": rates, "environment.name": environments };
        const runs = runsOf({ seeds, sweep });
        const found = runs.map(({ manifest: { algorithm, environment, training } }) =>
          JSON.stringify(["lr" in algorithm && algorithm.lr, environment.name, training.seed]),
        );
        const expected = rates.flatMap((rate) =>
          environments.flatMap((name) => seeds.map((seed) => JSON.stringify([rate, name, seed]))),
        );
        expect(found).toEqual(expected);
        expect(new Set(runs.map(({ name }) => name)).size).toBe(runs.length);
      },
    ),
  );
});

test("names runs by what differs, finds the section of a bare key, and seeds every place that has a seed", () => {
  const text =
    "seeds: 3..4\nsweep: { lr: [0.001], environment.name: [Acrobot-v1], algorithm.name: [DQN, PPO] }";
  const manifest = { ...DQN, mutation: { rand_seed: 7 } };
  const runs = runsOf(text, manifest);
  expect(runs.map(({ name }) => name)).toEqual([
    "lr=0.001, environment=Acrobot-v1, algorithm=DQN, seed=3",
    "lr=0.001, environment=Acrobot-v1, algorithm=DQN, seed=4",
    "lr=0.001, environment=Acrobot-v1, algorithm=PPO, seed=3",
    "lr=0.001, environment=Acrobot-v1, algorithm=PPO, seed=4",
  ]);
  expect(runs.map(({ manifest: { training, mutation } }) => [training.seed, mutation?.rand_seed])).toEqual([
    [3, 3],
    [4, 4],
    [3, 3],
    [4, 4],
  ]);
});

test.each([
  [
    { sweep: { "algorithm.lrr": [1, 2] } },
    [/^sweep\.algorithm\.lrr: unknown key "lrr"; did you mean "lr"\?$/],
  ],
  [
    { sweep: { learning_rate: [1, 2] } },
    [/^sweep\.algorithm\.learning_rate: unknown key .* did you mean "lr"\?$/],
  ],
  [
    { sweep: { "algorithm.lr": [0.1, -1], "algorithm.batch_size": [32, 64] } },
    [/^sweep\.algorithm\.lr: found -1; must be .* \(in the run lr=-1, batch_size=32\)$/],
  ],
  [
    // Fits neither alone: only the second algorithm lacks the field.
    { sweep: { "algorithm.name": ["DQN", "PPO"], "algorithm.double": [true] } },
    [/^sweep\.algorithm\.double: unknown key "double"/],
  ],
  [{ sweep: { "algorithm.name.first": ["a", "b"] } }, [/^sweep\.algorithm\.name\.first: there is no field /]],
  [{ sweep: { "algorithm.lr": [] } }, [/^sweep\.algorithm\.lr: found .*at least 1 items$/]],
  [{ sweep: { "algorithm.lr": 0.1 } }, [/^sweep\.algorithm\.lr: expected a list, found 0\.1$/]],
  [{ sweep: { "algorithm.lr": [0.1, 0.2, 0.1] } }, [/^sweep\.algorithm\.lr\[2\]: found 0\.1 twice/]],
  [{ sweeps: {} }, [/^sweeps: unknown key "sweeps"; did you mean "sweep"\?$/]],
  [{ manifest: "ppo-cartpole" }, [/^sweep: missing; list values/]],
  [{ seeds: "1..10000" }, [/^seeds: found 10000 runs; a sweep has at most 1000/]],
  [
    { seeds: "1..100", sweep: { "algorithm.lr": Array.from({ length: 100 }, (_, i) => (i + 1) / 1000) } },
    [/^sweep: found 10000 runs; a sweep has at most 1000/],
  ],
  [{ seeds: 5 }, [/^seeds: found 5; allowed a range such as 1\.\.10/]],
  [{ seeds: "9..1" }, [/^seeds: found "9\.\.1"/]],
  [{ seeds: [1, 1] }, [/^seeds: found 1; allowed .* each once$/]],
  [{ seeds: [1.5, 2] }, [/^seeds: found 1\.5/]],
  [{ seeds: [1, 2], sweep: { "training.seed": [3, 4] } }, [/^seeds: found beside values of training\.seed/]],
] as const)("refuses %j and names the place", (sweep, expected) => {
  const issues = issuesOf(sweep);
  expect(issues).toHaveLength(expected.length);
  for (const [i, issue] of issues.entries()) expect(issue).toMatch(expected[i] ?? /^$/);
});

test("an issue of a text has the line of its list", () => {
  expect(() => parseSweep("seeds: 1..2\nsweep:\n  algorithm.lr: 3\n", "grid.yaml")).toThrow(
    /^Invalid grid\.yaml: sweep\.algorithm\.lr: expected a list, found 3 \(line 3, column 17\)$/,
  );
});

test("reads the grid of a W&B file exactly, with nested sections", () => {
  const text = `
program: train.py
method: grid
metric: { name: score, goal: maximize }
seeds: 1..2
parameters:
  lr: { values: [0.001, 0.002] }
  algorithm: { parameters: { gamma: { value: 0.9 } } }
  batch_size: { min: 31, max: 33 }
  environment.num_envs: { distribution: q_uniform, min: 1, max: 8, q: 4 }
`;
  expect(parseSweep(text)).toEqual({
    manifest: null,
    seeds: [1, 2],
    settings: [0.001, 0.002].flatMap((lr) =>
      [31, 32, 33].flatMap((batch_size) =>
        [4, 8].map((num_envs) => ({
          lr,
          "algorithm.gamma": 0.9,
          batch_size,
          "environment.num_envs": num_envs,
        })),
      ),
    ),
  });
  expect(runsOf(text)).toHaveLength(24);
});

test("a parameter of a W&B file that seeds runs repeats their settings", () => {
  const runs = runsOf({
    method: "grid",
    parameters: { seed: { values: [5, 6] }, lr: { values: [0.001, 0.002] } },
  });
  expect(runs.map(({ seed, setting }) => [setting["algorithm.lr"], seed])).toEqual([
    [0.001, 5],
    [0.002, 5],
    [0.001, 6],
    [0.002, 6],
  ]);
});

/** Mean and ends of what a distribution draws. */
function drawn(parameter: object): { low: number; high: number; mean: number } {
  const { settings } = parseSweep({ method: "random", run_cap: 1000, parameters: { lr: parameter } });
  const values = settings.map(({ lr }) => lr as number);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { low: Math.min(...values), high: Math.max(...values), mean };
}

test("draws random settings of a W&B file from their distributions, the same each time", () => {
  const both = () =>
    parseSweep({ method: "random", run_cap: 3, parameters: { lr: { min: 0.5, max: 1.5 } } }).settings;
  expect(both()).toEqual(both());
  expect(both()).toHaveLength(3);
  // Uniform: mean (a + b) / 2; log-uniform: (b - a) / log(b / a); log-normal: exp(mu + sigma^2 / 2).
  const uniform = drawn({ min: 0.5, max: 1.5 });
  expect([uniform.low >= 0.5, uniform.high <= 1.5]).toEqual([true, true]);
  expect(uniform.mean).toBeCloseTo(1, 1);
  const log = drawn({ distribution: "log_uniform_values", min: 0.01, max: 1 });
  expect([log.low >= 0.01, log.high <= 1]).toEqual([true, true]);
  expect(log.mean).toBeCloseTo(0.99 / Math.log(100), 1);
  expect(drawn({ distribution: "log_uniform", min: Math.log(0.01), max: 0 }).mean).toBeCloseTo(log.mean, 6);
  expect(drawn({ distribution: "inv_log_uniform", min: 0, max: Math.log(100) }).mean).toBeCloseTo(
    log.mean,
    1,
  );
  expect(drawn({ distribution: "normal", mu: 3, sigma: 0.5 }).mean).toBeCloseTo(3, 1);
  expect(drawn({ distribution: "log_normal", mu: 0, sigma: 0.5 }).mean).toBeCloseTo(Math.exp(0.125), 1);
  const quantised = parseSweep({
    method: "random",
    run_cap: 50,
    parameters: { lr: { distribution: "q_uniform", min: 0, max: 1, q: 0.1 } },
  }).settings.map(({ lr }) => lr as number);
  expect(quantised.every((value) => value === Number(value.toFixed(1)))).toBe(true);
  const weighted = parseSweep({
    method: "random",
    run_cap: 200,
    parameters: { a: { values: [1, 2], probabilities: [1, 0] }, b: { min: 0.1, max: 0.2 } },
  }).settings;
  expect(new Set(weighted.map(({ a }) => a))).toEqual(new Set([1]));
});

const withLr = (lr: object, rest: object = { method: "grid" }) => ({ ...rest, parameters: { lr } });

test.each([
  [
    withLr({ values: [1] }, { method: "bayes" }),
    /^method: found bayes, .* use random with run_cap, or .*hpo: search/,
  ],
  [withLr({ values: [1] }, { method: "gird" }), /^method: found "gird"; did you mean "grid"\?/],
  [
    withLr({ distribution: "log_unifrom", min: 1, max: 2 }),
    /^parameters\.lr\.distribution: unknown distribution "log_unifrom"; did you mean "log_uniform"\?/,
  ],
  [withLr({ min: 0.1, max: 0.2 }), /^parameters\.lr: cannot be listed for method grid/],
  [withLr({ min: 0.1, max: 0.2 }, { method: "random" }), /^run_cap: missing/],
  [withLr({ min: 0.1, max: 0.2 }, { method: "random", run_cap: 10_000 }), /^run_cap: found 10000 runs/],
  [withLr({ min: 1, max: 10_000 }), /^parameters\.lr: cannot be listed/],
  [withLr({}), /^parameters\.lr: has no values/],
  [
    withLr({ distribution: "log_uniform_values", min: 0, max: 1 }),
    /^parameters\.lr: found 0 to 1, .* both above 0$/,
  ],
  [withLr({ distribution: "uniform", min: 2, max: 1 }), /^parameters\.lr: found 2 to 1/],
  [
    withLr({ values: [1, 2], probabilities: [1] }, { method: "random", run_cap: 2 }),
    /^parameters\.lr: found 1 probabilities for 2 values/,
  ],
  [
    { method: "grid", parameters: { algorithm: { parameters: { lr: { values: [] } } } } },
    /^parameters\.algorithm\.parameters\.lr\.values: found/,
  ],
] as const)("refuses the W&B file %j", (sweep, expected) => {
  expect(issuesOf(sweep)).toEqual([expect.stringMatching(expected)]);
});

test("names the swept field, not the swept section around it, and shortens a run's long name", () => {
  const section = { name: "DQN", batch_size: 64, lr: 0.001, learn_step: 4, gamma: 0.99, tau: 0.005 };
  const [issue, ...others] = issuesOf({ sweep: { algorithm: [section], "algorithm.lr": ["x"] }, seeds: [1] });
  expect(issue).toMatch(/^sweep\.algorithm\.lr: expected a number.+\(in the run algorithm=.{1,80}…\)$/);
  expect(others).toEqual([]);
});
