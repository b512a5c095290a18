import { describe, expect, it } from "vitest";
import { membersIn, rhythmOf, rungsOf } from "../../bench/evolution/budget.ts";
import { recipes as contenders } from "../../bench/evolution/contenders.ts";
import {
  applies,
  findRecipes,
  manifestOf,
  merged,
  middleOf,
  oldRanges,
  type Recipe,
  recipes,
  startOf,
  wrongOf,
} from "../../bench/evolution/recipes.ts";
import { evolutionTasks, findTask, scoreOf } from "../../bench/evolution/tasks.ts";
import { checkManifest, evolutionSections, TrainingManifest } from "../../src/manifests/index.ts";

const HALVING = { factor: 2, rung: null, smallest: 1 } as const;

describe("rhythmOf", () => {
  const task = { name: "t", budget: 61_440, quantum: 256, generations: 12 };

  it("divides the budget among members and generations", () => {
    expect(rhythmOf(task, 1)).toEqual({ evo_steps: 5120, generations: 12, rung: null, total: 61_440 });
    expect(rhythmOf(task, 4)).toEqual({ evo_steps: 1280, generations: 12, rung: null, total: 61_440 });
  });

  it("gives a population that shrinks rungs of equal length", () => {
    // 4 generations each of 8, 4, 2 and 1 members with 1024 steps.
    expect(rhythmOf(task, 8, HALVING)).toEqual({
      evo_steps: 1024,
      generations: 16,
      rung: 4,
      total: 4 * 1024 * (8 + 4 + 2 + 1),
    });
  });

  it("takes the budget in every task, with any of the usual populations", () => {
    for (const each of evolutionTasks)
      for (const [population, halving] of [
        [1],
        [4],
        [8],
        [8, HALVING],
        [8, { ...HALVING, smallest: 4 }],
      ] as const) {
        const { total } = rhythmOf(each, population, halving);
        expect(Math.abs(total / each.budget - 1), `${each.name}, ${population}`).toBeLessThan(0.01);
      }
  });

  it("refuses a population whose budget is less than a quantum", () => {
    expect(() => rhythmOf({ ...task, quantum: 4096 }, 64)).toThrow(
      "a population of 64 cannot take 61440 steps",
    );
  });
});

describe("membersIn", () => {
  it("keeps half of the members after each rung, down to the smallest population", () => {
    const sizes = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((g) =>
      membersIn(g, 8, { factor: 2, rung: 2, smallest: 2 }),
    );
    expect(sizes).toEqual([8, 8, 4, 4, 2, 2, 2, 2, 2]);
    expect(membersIn(99, 5, null)).toBe(5);
  });

  it("passes through as many sizes as rungs", () => {
    expect(rungsOf(8, HALVING)).toBe(4);
    expect(rungsOf(16, { factor: 4, smallest: 1 })).toBe(3);
  });

  it("spreads cuts over the first half where another strategy follows", () => {
    const halving = { factor: 2, rung: null, smallest: 4, followed: true };
    const { generations, rung } = rhythmOf(
      { name: "t", budget: 61_440, quantum: 16, generations: 12 },
      16,
      halving,
    );
    // 16, 8, then 4 members from the middle on.
    expect(generations / Number(rung)).toBe(4);
    expect(membersIn(generations / 2 - 1, 16, { ...halving, rung })).toBe(8);
    expect(membersIn(generations / 2, 16, { ...halving, rung })).toBe(4);
  });
});

describe("initial hyperparameters", () => {
  it("has the middle of each scale", () => {
    const range = { good: 0.5, min: 1e-5, max: 1e-2 };
    expect(middleOf({ ...range, scale: "log" })).toBe(3.162e-4);
    expect(middleOf({ good: 1, min: 2, max: 32, scale: "log", integer: true })).toBe(8);
    expect(middleOf({ good: 1, min: 0.9, max: 0.999, scale: "one_minus" })).toBe(0.99);
    expect(middleOf({ good: 1, min: 1, max: 4, scale: "linear" })).toBe(2.5);
  });

  it("is 30 times too small, or too large at the bottom of the range", () => {
    const range = { min: 1e-5, max: 1e-2, scale: "log" } as const;
    expect(wrongOf({ ...range, good: 0.003 })).toBeCloseTo(1e-4, 10);
    expect(wrongOf({ ...range, good: 0.0003 })).toBe(1e-5);
    expect(wrongOf({ ...range, good: 0.0002 })).toBeCloseTo(6e-3, 10);
    expect(() => wrongOf({ ...range, min: 1e-4, max: 1e-3, good: 3e-4 })).toThrow("30 times off");
  });

  it("changes learning rates only", () => {
    const task = findTask("sac-pendulum");
    const [good, middle, wrong] = [startOf(task, "good"), startOf(task, "middle"), startOf(task, "wrong")];
    expect(wrong.lr_actor).toBeCloseTo(Number(good.lr_actor) / 30, 10);
    expect(wrong.lr_critic).toBeCloseTo(Number(good.lr_critic) / 30, 10);
    expect({ ...wrong, lr_actor: middle.lr_actor, lr_critic: middle.lr_critic }).toEqual(middle);
  });

  it("lies within the ranges", () => {
    for (const task of evolutionTasks)
      for (const start of ["good", "middle", "wrong"] as const)
        for (const [name, value] of Object.entries(startOf(task, start))) {
          const { min = Infinity, max = -Infinity } = task.searched[name] ?? {};
          expect(value, `${task.name} ${start} ${name}`).toBeGreaterThanOrEqual(min);
          expect(value, `${task.name} ${start} ${name}`).toBeLessThanOrEqual(max);
        }
  });
});

describe("manifestOf", () => {
  const recipe = (name: string) => recipes.find((r) => r.name === name) as Recipe;
  const problems = (manifest: object) => {
    const result = checkManifest(manifest);
    return result.success ? [] : result.issues;
  };

  it("is valid in every task, with and without evolution", () => {
    for (const task of evolutionTasks)
      for (const name of ["middle", "wrong", "oracle", "hpo", "hpo_old"])
        expect(problems(manifestOf(task, recipe(name))), `${task.name} ${name}`).toEqual([]);
  });

  it("is valid for another algorithm in tasks of single agents", () => {
    const es = recipe("es");
    const tasks = evolutionTasks.filter((task) => applies(es, task));
    expect(new Set(tasks.map(({ family }) => family))).toEqual(
      new Set(["PPO", "DQN", "SAC and TD3", "bodies"]),
    );
    expect(tasks.flatMap((task) => problems(manifestOf(task, es)))).toEqual([]);
  });

  it("is valid in every task for contenders that wait to be measured, which search what a search does", () => {
    const search = (task: (typeof evolutionTasks)[number], one: Recipe) =>
      evolutionSections(TrainingManifest.parse(manifestOf(task, one)));
    const names = (sections: ReturnType<typeof search>) =>
      Object.keys(sections.mutation?.rl_hp_selection ?? {});
    for (const task of evolutionTasks)
      for (const one of contenders) {
        expect(problems(manifestOf(task, one)), `${task.name} ${one.name}`).toEqual([]);
        const [found, usual] = [search(task, one), search(task, recipe("search"))];
        expect(names(found), `${task.name} ${one.name}`).toEqual(names(usual));
        expect(found.mutation?.probabilities).toEqual(usual.mutation?.probabilities);
        expect(found.learn_from).toBe(usual.learn_from);
      }
  });

  it("gives members their share of the steps, and IPPO's population all", () => {
    expect(manifestOf(findTask("ppo-cartpole"), recipe("random")).training).toMatchObject({
      pop_size: 4,
      evo_steps: 1280,
      max_steps: 15_360,
    });
    expect(manifestOf(findTask("ippo-spread"), recipe("random")).training).toMatchObject({
      pop_size: 4,
      max_steps: 983_040,
    });
  });

  it("draws initial values from the task's ranges, and cuts in equal rungs", () => {
    const manifest = manifestOf(findTask("ppo-cartpole"), recipe("halving"));
    expect(manifest.mutation).toMatchObject({
      rl_hp_selection: { lr: { min: 1e-5, max: 1e-2, scale: "log", initial: "log_uniform" } },
      probabilities: { no_mut: 1, rl_hp_mut: 0 },
    });
    expect(manifest.selection_strategy).toMatchObject({ strategy: "halving", rung: 4 });
  });

  it("replaces fields by those of a contender's own manifest", () => {
    const own: Recipe = {
      ...recipe("hpo"),
      generations: 18,
      manifest: { training: { eval_loop: 7, hpo: true } },
    };
    const { training } = manifestOf(findTask("dqn-cartpole"), own) as { training: { evo_steps: number } };
    expect(training).toMatchObject({ eval_loop: 7, hpo: true, pop_size: 4 });
    expect(training.evo_steps).toBeLessThan(1000);
    expect(merged({ a: { b: 1, c: 2 }, d: [1] }, { a: { c: 3 }, d: [] })).toEqual({
      a: { b: 1, c: 3 },
      d: [],
    });
  });

  it("spells out the former ranges", () => {
    expect(oldRanges({ name: "DQN", lr: 0.001, batch_size: 64, learn_step: 2 })).toEqual({
      batch_size: { min: 16, max: 256, grow_factor: 1.5, shrink_factor: 0.75 },
      learn_step: { min: 1, max: 8, grow_factor: 1.5, shrink_factor: 0.75 },
      lr: { min: 0.0001, max: 0.01, grow_factor: 1.2, shrink_factor: 0.8 },
    });
    expect(manifestOf(findTask("ippo-spread"), recipe("hpo_old")).mutation).toMatchObject({
      rl_hp_selection: {},
      probabilities: { no_mut: 0.6, rl_hp_mut: 0 },
    });
  });
});

describe("findRecipes", () => {
  it("names those that there are", async () => {
    expect((await findRecipes(["oracle", "middle"])).map(({ name }) => name)).toEqual(["oracle", "middle"]);
    await expect(findRecipes(["best"])).rejects.toThrow('no recipe "best"; there are middle, wrong');
  });
});

describe("scoreOf", () => {
  it("is 0 at the floor and below, 1 at the target, at most 1.05", () => {
    const task = { floor: -1300, target: -180 };
    expect([-2000, -1300, -740, -180, 0, Number.NaN].map((mean) => scoreOf(task, mean))).toEqual([
      0, 0, 0.5, 1, 1.05, 0,
    ]);
  });
});
