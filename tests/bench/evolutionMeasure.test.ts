import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { areaOf, measure, type Outcome } from "../../bench/evolution/measure.ts";
import { type Recipe, recipes } from "../../bench/evolution/recipes.ts";
import { reportOf } from "../../bench/evolution/report.ts";
import { digestOf, jobsOf, Results, seedsIn } from "../../bench/evolution/results.ts";
import { findTask } from "../../bench/evolution/tasks.ts";

const TASK = findTask("ppo-cartpole");
const recipeOf = (name: string): Recipe => {
  const recipe = recipes.find((r) => r.name === name);
  if (!recipe) throw new Error(name);
  return recipe;
};

describe("areaOf", () => {
  it("is the running maximum over steps, 0 before the first score", () => {
    const curve = [
      [100, 0.5],
      [200, 0.2],
      [300, 1],
    ] as const;
    // 0.5 from 100 to 300, 1 from 300 to 400.
    expect(areaOf(curve, 400)).toBe((0.5 * 200 + 1 * 100) / 400);
  });

  it("ignores steps beyond the budget", () => {
    expect(
      areaOf(
        [
          [50, 1],
          [120, 1],
        ],
        100,
      ),
    ).toBe(0.5);
    expect(areaOf([[120, 1]], 100)).toBe(0);
    expect(areaOf([], 100)).toBe(0);
  });
});

describe("measure", () => {
  it("scores language models by their own episodes, generation by generation", async () => {
    const task = { ...findTask("grpo-conditional"), budget: 192, episodes: 32 };
    const outcome = await measure(task, recipeOf("random"), 3);
    expect(outcome).toMatchObject({ task: "grpo-conditional", recipe: "random", env_steps: 192 });
    expect(outcome.curve.map(([steps]) => steps)).toEqual(
      outcome.curve.map((_, i) => (192 / outcome.curve.length) * (i + 1)),
    );
    expect(outcome.delivered).toBeGreaterThanOrEqual(0);
    expect(Object.keys(outcome.hyperparameters)).toEqual(Object.keys(task.searched));
  });

  it("trains a contender to its budget and scores what it delivers", async () => {
    const task = { ...findTask("dqn-cartpole"), budget: 7680, episodes: 10 };
    const outcome = await measure(task, recipeOf("hpo_old"), 3);
    expect(outcome).toMatchObject({ task: "dqn-cartpole", recipe: "hpo_old", seed: 3, env_steps: 7680 });
    expect(outcome.curve.at(-1)?.[0]).toBe(outcome.env_steps);
    expect(outcome.curve).toHaveLength(outcome.generations);
    // 4 members, each with one pass of 4 environments in every generation; perhaps twice 30 at the end.
    expect((outcome.evaluations - 16 * outcome.generations) % 60).toBe(0);
    expect(outcome.learn_steps).toBeGreaterThan(0);
    expect(outcome.kept).toBe(outcome.curve.at(-1)?.[1]);
    expect([outcome.kept, outcome.final]).toContain(outcome.delivered);
    expect(Object.keys(outcome.hyperparameters)).toEqual(Object.keys(task.searched));
    const { processor_s: _, wall_s: __, ...bits } = outcome;
    const { processor_s: ___, wall_s: ____, ...again } = await measure(task, recipeOf("hpo_old"), 3);
    expect(again).toEqual(bits);
  });

  it("does not count an iteration of copies that ends beyond the budget", async () => {
    // 40 episodes of 200 steps.
    const task = { ...findTask("ppo-pendulum"), budget: 20_480, episodes: 4 };
    const es = { ...recipeOf("es"), algorithm: { name: "ES", perturbations: 40 } };
    const { env_steps, curve } = await measure(task, es, 3);
    expect([env_steps, curve.map(([steps]) => steps)]).toEqual([16_000, [8000, 16_000]]);
  });
});

const outcomeOf = (recipe: string, seed: number, delivered: number): Outcome => ({
  task: "ppo-cartpole",
  recipe,
  seed,
  digest: digestOf(TASK, recipeOf(recipe)),
  env_steps: 61_440,
  learn_steps: 10,
  evaluations: 48,
  generations: 12,
  processor_s: 1,
  wall_s: 1,
  curve: [],
  delivered,
  final: delivered,
  kept: delivered,
  area: delivered / 2,
  steps_to_target: null,
  hyperparameters: {},
});

describe("Results", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "evolution-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("continues after an interruption, with a line that was cut off", () => {
    const jobs = jobsOf([TASK], ["middle", "hpo"].map(recipeOf), [0, 1]);
    new Results(folder).add(outcomeOf("middle", 0, 0.5));
    const file = path.join(folder, "runs.jsonl");
    writeFileSync(file, `${readFileSync(file, "utf8")}{"task":"ppo-cart`);
    const results = new Results(folder);
    expect(results.missing(jobs)).toEqual(
      jobs.filter(({ recipe, seed }) => recipe !== "middle" || seed !== 0),
    );
    results.add(outcomeOf("hpo", 0, 0.75));
    expect(new Results(folder).chosen(jobs)).toEqual([
      outcomeOf("middle", 0, 0.5),
      outcomeOf("hpo", 0, 0.75),
    ]);
  });

  it("measures again what has changed", () => {
    const results = new Results(folder);
    results.add(outcomeOf("middle", 0, 0.5));
    const middle = recipeOf("middle");
    expect(results.missing(jobsOf([TASK], [middle], [0]))).toEqual([]);
    const other = { ...middle, manifest: { training: { eval_loop: 2 } } };
    expect(results.missing(jobsOf([TASK], [other], [0]))).toHaveLength(1);
    expect(results.missing(jobsOf([{ ...TASK, target: 400 }], [middle], [0]))).toHaveLength(1);
  });

  it("reads seeds and ranges of seeds", () => {
    expect(seedsIn("0-2,7")).toEqual([0, 1, 2, 7]);
    expect(() => seedsIn("3-1")).toThrow("--seeds");
    expect(() => seedsIn("x")).toThrow("--seeds");
  });
});

describe("reportOf", () => {
  it("has differences paired by seed", () => {
    const outcomes = [
      outcomeOf("middle", 0, 0.5),
      outcomeOf("middle", 1, 0.25),
      outcomeOf("hpo", 0, 0.75),
      outcomeOf("hpo", 1, 0.5),
    ];
    const text = reportOf(outcomes, ["hpo"]);
    expect(text).toMatch(/hpo - middle\s+\| 2\s+\| 0\.25 \[0\.25, 0\.25\]/);
    expect(text).toMatch(/\| hpo\s+\| 2\s+\| 0\.63/);
    expect(reportOf([], [])).toBe("no finished runs");
  });
});
