/** Contenders of the evolution bench: how each fills in a task's manifest. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { AlgoSpec, searchRanges } from "../../src/manifests/index.ts";
import { type Halving, rhythmOf } from "./budget.ts";
import type { EvolutionTask, Searched } from "./tasks.ts";

type Section = { readonly [key: string]: unknown };

/**
 * A contender. Files of own contenders export `recipes`, a list of these.
 *
 * @example
 * ```ts
 * const manifest = {
 *   selection_strategy: { strategy: "halving", smallest: 4, followed_by: "truncation" },
 *   training: { learn_from: "population", final_episodes: 30 },
 * };
 * const ends = { population: 8, start: "middle", ranges: "drawn", generations: 18 };
 * export const recipes = [{ name: "race", title: "halving, then truncation", ...ends, manifest }];
 * ```
 */
export interface Recipe {
  readonly name: string;
  readonly title: string;
  readonly population: number;
  /** Initial hyperparameters: tuned; the middle of the ranges; or that with learning rates 30 times off tuned ones. */
  readonly start: "good" | "middle" | "wrong";
  /**
   * Ranges in `mutation.rl_hp_selection`: the task's, with initial values drawn from them; the task's around the
   * initial values; those that `hpo: true` once had; those of `hpo: search`, with initial values drawn around the given
   * ones; none.
   */
  readonly ranges: "drawn" | "task" | "old" | "around" | "none";
  /** How the population shrinks, if it does; by default from the manifest's `selection_strategy`. */
  readonly halving?: Halving;
  /** Wanted number of generations (default: the task's). */
  readonly generations?: number;
  /** Trains another algorithm, with its own values, in tasks of single agents. */
  readonly algorithm?: Section & { readonly name: string };
  /** Replaces fields of the manifest, section by section. */
  readonly manifest?: Section;
}

const NO_MUTATION = { no_mut: 1, arch_mut: 0, new_layer: 0, params_mut: 0, act_mut: 0, rl_hp_mut: 0 };
/** Members only keep what they drew; at the end, all of them are evaluated again. */
const STILL = { mutation: { probabilities: NO_MUTATION }, training: { final_episodes: 30 } };

export const SEARCHED = {
  population: 8,
  halving: { factor: 2, rung: null, smallest: 4, followed: true },
  generations: 24,
  ranges: "none",
  manifest: { training: { hpo: "search" } },
} as const;

export const recipes: readonly Recipe[] = [
  {
    name: "middle",
    title: "one run in the middle of the ranges",
    population: 1,
    start: "middle",
    ranges: "none",
  },
  {
    name: "wrong",
    title: "one run, learning rate 30 times off",
    population: 1,
    start: "wrong",
    ranges: "none",
  },
  {
    name: "random",
    title: "random search, 4 members",
    population: 4,
    start: "middle",
    ranges: "drawn",
    manifest: { ...STILL, selection_strategy: { strategy: "none" } },
  },
  {
    name: "halving",
    title: "successive halving, 8 members to 1",
    population: 8,
    start: "middle",
    ranges: "drawn",
    manifest: {
      ...STILL,
      selection_strategy: { strategy: "halving", factor: 2, rung: null, smallest: 1 },
    },
  },
  {
    name: "hpo_old",
    title: "the former `hpo: true`, 4 members",
    population: 4,
    start: "middle",
    ranges: "old",
    manifest: {
      selection_strategy: { strategy: "tournament", tournament_size: 2, elitism: true },
    },
  },
  {
    name: "hpo",
    title: "`hpo: true`, 4 members",
    population: 4,
    start: "middle",
    ranges: "none",
    manifest: { training: { hpo: true } },
  },
  {
    name: "search",
    title: "`hpo: search`, 8 members",
    ...SEARCHED,
    start: "middle",
  },
  { name: "oracle", title: "one run, tuned values", population: 1, start: "good", ranges: "none" },
  {
    name: "search_tuned",
    title: "`hpo: search` from tuned values, 8 members",
    ...SEARCHED,
    start: "good",
  },
  {
    name: "still_tuned",
    title: "tuned values without evolution, 8 members",
    population: 8,
    generations: 24,
    start: "good",
    ranges: "task",
    // For the final evaluation and shared experience of a search.
    manifest: { training: { hpo: "search" }, selection_strategy: { strategy: "none" } },
  },
  {
    name: "es",
    title: "evolution strategies, one run of 16 copies",
    population: 1,
    start: "good",
    ranges: "none",
    // An iteration of more copies would be a large part of the budget.
    algorithm: { name: "ES", perturbations: 16, sigma: 0.1, lr: 0.05 },
  },
];

/** Whether a contender can train a task. */
export const applies = ({ algorithm }: Recipe, { family }: EvolutionTask): boolean =>
  algorithm === undefined || !(family === "multi-agent" || family === "language models");

/** The middle of a range on its scale. */
export function middleOf({ min, max, scale, integer }: Searched): number {
  const middle =
    scale === "log"
      ? Math.sqrt(min * max)
      : scale === "one_minus"
        ? 1 - Math.sqrt((1 - min) * (1 - max))
        : (min + max) / 2;
  return integer ? Math.round(middle) : Number(middle.toPrecision(4));
}

const OFF = 30;

/** A value 30 times too small, or too large where the range ends before that. */
export function wrongOf({ good, min, max }: Searched): number {
  // A factor of a billionth: 0.0003 / 30 is not quite 0.00001.
  const least = min * (1 - 1e-9);
  if (good / OFF >= least) return Math.max(min, good / OFF);
  if (good * OFF <= max) return good * OFF;
  throw new RangeError(`a range from ${min} to ${max} has no value ${OFF} times off ${good}`);
}

const isRate = (name: string): boolean => name.startsWith("lr");

/** Initial values of the searched hyperparameters. */
export function startOf({ searched }: EvolutionTask, start: Recipe["start"]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(searched).map(([name, range]) => {
      if (start === "good") return [name, range.good];
      return [name, start === "wrong" && isRate(name) ? wrongOf(range) : middleOf(range)];
    }),
  );
}

/** Hyperparameters that `hpo: true` once mutated, by algorithm. */
const OLD_NAMES: Readonly<Record<string, readonly string[]>> = {
  PPO: ["batch_size", "learn_step", "lr"],
  DQN: ["batch_size", "learn_step", "lr"],
  SAC: ["batch_size", "learn_step", "lr_actor", "lr_critic"],
  TD3: ["batch_size", "learn_step", "lr_actor", "lr_critic"],
  MADDPG: ["batch_size", "learn_step", "lr_actor", "lr_critic"],
  IPPO: [],
};

/** Ranges that `hpo: true` once had, which follow the initial values. */
export function oldRanges(algorithm: Section & { readonly name: string }): Section {
  const ranges: Record<string, Section> = {};
  for (const name of OLD_NAMES[algorithm.name] ?? []) {
    const value = Number(algorithm[name]);
    ranges[name] = isRate(name)
      ? { min: value / 10, max: value * 10, grow_factor: 1.2, shrink_factor: 0.8 }
      : {
          min: Math.max(1, Math.floor(value / 4)),
          max: value * 4,
          grow_factor: 1.5,
          shrink_factor: 0.75,
        };
  }
  return ranges;
}

/** The mutation section that `hpo: true` once had. Where no hyperparameter mutated, nothing changed instead. */
function oldMutation(algorithm: Section & { readonly name: string }): Section {
  const rl_hp_selection = oldRanges(algorithm);
  const moves = Object.keys(rl_hp_selection).length > 0 ? 0.2 : 0;
  const others = { arch_mut: 0.2, new_layer: 0.2, params_mut: 0.2, act_mut: 0 };
  const probabilities = { ...others, no_mut: 0.6 - moves, rl_hp_mut: moves };
  return { probabilities, rl_hp_selection, mutation_sd: 0.1 };
}

function rangesOf(
  task: EvolutionTask,
  { ranges }: Recipe,
  algorithm: Section & { readonly name: string },
): Section {
  if (ranges === "none") return {};
  if (ranges === "old") return { mutation: oldMutation(algorithm) };
  if (ranges === "around") {
    const searched = Object.entries(searchRanges(AlgoSpec.parse(algorithm), "search"));
    const around = searched.map(([name, range]) => [name, { ...range, initial: "log_normal" }]);
    return { mutation: { probabilities: NO_MUTATION, rl_hp_selection: Object.fromEntries(around) } };
  }
  const initial = ranges === "drawn" ? "log_uniform" : "value";
  const entries = Object.entries(task.searched).map(([name, { min, max, scale }]) => [
    name,
    { min, max, scale, initial },
  ]);
  return { mutation: { rl_hp_selection: Object.fromEntries(entries) } };
}

const isSection = (value: unknown): value is Section =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Fields of `over` replace those of `base`; sections are merged. */
export function merged(base: Section, over: Section): Section {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const own = base[key];
    result[key] = isSection(own) && isSection(value) ? merged(own, value) : value;
  }
  return result;
}

function halvingOf({ halving, manifest }: Recipe): Halving | null {
  if (halving) return halving;
  const selection = manifest?.selection_strategy;
  if (!isSection(selection) || selection.strategy !== "halving") return null;
  const { factor = 2, rung = null, smallest = 1, followed_by = null } = selection;
  return {
    factor: Number(factor),
    rung: rung === null ? null : Number(rung),
    smallest: Number(smallest),
    followed: followed_by !== null,
  };
}

/** Families whose algorithms may have a replay memory. */
const REPLAYS: ReadonlySet<string> = new Set(["DQN", "SAC and TD3", "multi-agent"]);

/** The manifest of a contender in a task. All contenders take the same total steps, up to rounding. */
export function manifestOf(task: EvolutionTask, recipe: Recipe): Section {
  const { population, start, generations: wanted = task.generations } = recipe;
  const halving = halvingOf(recipe);
  const rhythm = rhythmOf({ ...task, generations: wanted }, population, halving);
  const { evo_steps, generations, rung, total } = rhythm;
  const { recurrent } = task.algorithm;
  const algorithm = recipe.algorithm
    ? { ...recipe.algorithm, ...(recurrent === true && { recurrent }) }
    : { ...task.algorithm, ...startOf(task, start) };
  const isLanguageTask = task.family === "language models";
  // IPPO and language models count the steps of all members together.
  const max_steps = algorithm.name === "IPPO" || isLanguageTask ? total : evo_steps * generations;
  const iterations = evo_steps / task.quantum;
  const base: Section = {
    algorithm,
    environment: isLanguageTask
      ? {
          env_type: "rollout",
          name: task.environment,
          entrypoint: task.environment,
          max_turns: 1,
          max_reward: 1,
        }
      : {
          name: task.environment,
          num_envs: task.num_envs,
          ...(task.normalized && { normalize: { observations: true, rewards: true } }),
        },
    network: task.network,
    ...(REPLAYS.has(task.family) &&
      !recipe.algorithm &&
      algorithm.name !== "IPPO" && { replay_buffer: { max_size: 100_000, ...task.replay } }),
    training: {
      ...task.training,
      hpo: false,
      pop_size: population,
      max_steps,
      ...(isLanguageTask ? { evo_steps: iterations, evaluation_interval: iterations } : { evo_steps }),
    },
    ...rangesOf(task, recipe, algorithm),
  };
  const manifest = merged(base, recipe.manifest ?? {});
  const selection = manifest.selection_strategy;
  return isSection(selection) && selection.strategy === "halving" && rung !== null
    ? merged(manifest, { selection_strategy: { rung } })
    : manifest;
}

/**
 * Contenders by name, or all those of a file, whose name ends in .ts or .mjs.
 *
 * @throws RangeError listing the valid names.
 */
export async function findRecipes(names: readonly string[]): Promise<readonly Recipe[]> {
  const found: Recipe[] = [];
  const known: Recipe[] = [...recipes];
  for (const name of names) {
    if (/\.m?[jt]s$/.test(name)) {
      const { recipes: own } = (await import(pathToFileURL(path.resolve(name)).href)) as {
        recipes: readonly Recipe[];
      };
      known.push(...own);
      found.push(...own);
      continue;
    }
    const recipe = known.find((r) => r.name === name);
    if (!recipe)
      throw new RangeError(`no recipe "${name}"; there are ${known.map((r) => r.name).join(", ")}`);
    found.push(recipe);
  }
  return found;
}
