/**
 * `npx tsx bench/networks.ts [--algorithm PPO] [--task NAME]... [--recipe NAME]... [--seeds 1,2]`: trains one agent for
 * each task, recipe of networks and seed, and prints the mean return of 20 greedy episodes at the end of the budget.
 * Finished runs are kept under .cache/, so that an interrupted comparison continues.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parseManifest, type TrainingManifestInput } from "../src/manifests/index.ts";
import { environmentOf } from "../src/training/plan.ts";
import { markdownTable } from "./harness/table.ts";
import { Judge } from "./subjects/judge.ts";
import { runPopulation } from "./subjects/populationRun.ts";

type Section = Readonly<Record<string, unknown>>;

interface Task {
  readonly algorithm: "PPO" | "TD3";
  readonly environment: Section & { readonly name: string };
  readonly fields: Section;
  readonly steps: number;
}

const PPO = { lr: 1e-3, learn_step: 1024, batch_size: 128, update_epochs: 4 };
const TD3 = {
  lr_actor: 1e-3,
  lr_critic: 1e-3,
  batch_size: 64,
  learn_step: 1,
  O_U_noise: false,
  expl_noise: 0.1,
};

const ppo = (name: string, steps: number, fields: Section = {}, environment: Section = {}): Task => ({
  algorithm: "PPO",
  environment: { name, num_envs: 8, ...environment },
  fields: { ...PPO, ...fields },
  steps,
});
const td3 = (name: string, steps: number, fields: Section = {}): Task => ({
  algorithm: "TD3",
  environment: { name, num_envs: 1 },
  fields: { ...TD3, ...fields },
  steps,
});

const NORMALISED = { normalize: { observations: true, rewards: true } };

/** Tasks that a core learns in seconds. */
const TASKS: readonly Task[] = [
  ppo("CartPole-v1", 32_768),
  ppo("Acrobot-v1", 49_152),
  ppo("Pendulum-v1", 65_536, { gamma: 0.9, ent_coef: 0 }),
  ppo("FrozenLake-v1", 32_768),
  ppo("CliffWalking-v1", 32_768, { ent_coef: 0.1 }),
  ppo("Taxi-v3", 131_072, { ent_coef: 0.05 }, { env_config: { action_mask: true } }),
  ppo("LunarLander-v3", 65_536, { gamma: 0.999 }),
  ppo("rlkit/Hopper-v0", 65_536, { ent_coef: 0, lr: 5e-4 }, NORMALISED),
  td3("Pendulum-v1", 8000, { gamma: 0.98 }),
  td3("LunarLanderContinuous-v3", 12_000, { learn_step: 2 }),
  td3("InvertedPendulum-v5", 10_000, { gamma: 0.98 }),
  td3("Reacher-v5", 8000),
  td3("Hopper-v5", 16_000),
  td3("rlkit/Hopper-v0", 12_000),
  td3("rlkit/HalfCheetah-v0", 12_000),
  td3("rlkit/Walker2d-v0", 12_000),
];

const everywhere = (settings: Section) => ({ encoder_config: settings, head_config: settings });

interface Recipe {
  readonly fields?: Section;
  readonly network?: Section;
}

/** What each recipe changes of the defaults. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  default: {},
  shared: { fields: { share_encoders: true } },
  separate: { fields: { share_encoders: false } },
  plain: { network: everywhere({ layer_norm: false }) },
  tanh: { network: everywhere({ activation: "Tanh" }) },
  "full gain": { network: { head_config: { output_vanish: false } } },
  "separate, plain": { fields: { share_encoders: false }, network: everywhere({ layer_norm: false }) },
  "separate, plain, tanh": {
    fields: { share_encoders: false },
    network: everywhere({ layer_norm: false, activation: "Tanh" }),
  },
};

const { values: options } = parseArgs({
  options: {
    algorithm: { type: "string", default: "PPO" },
    task: { type: "string", multiple: true, default: [] },
    recipe: { type: "string", multiple: true, default: Object.keys(RECIPES) },
    seeds: { type: "string", default: "1,2,3,4,5" },
  },
});

const FILE = new URL("../.cache/networks.jsonl", import.meta.url);

interface Outcome {
  readonly key: string;
  readonly score: number;
}

function known(): Map<string, number> {
  if (!existsSync(FILE)) return new Map();
  const lines = readFileSync(FILE, "utf8").trim().split("\n");
  return new Map(lines.map((line) => JSON.parse(line) as Outcome).map(({ key, score }) => [key, score]));
}

async function measure(task: Task, { fields, network }: Recipe, seed: number): Promise<number> {
  const manifest = {
    algorithm: { name: task.algorithm, ...task.fields, ...fields },
    environment: task.environment,
    training: { max_steps: task.steps, evo_steps: task.steps, pop_size: 1, hpo: false, eval_loop: 1 },
    ...(network && { network }),
    ...(task.algorithm === "TD3" && { replay_buffer: { max_size: task.steps } }),
    // Checked by parseManifest.
  } as unknown as TrainingManifestInput;
  const { id, options: configured } = environmentOf(parseManifest(manifest));
  const judge = await Judge.in(id, 20, 0, configured);
  let score = Number.NaN;
  await runPopulation(manifest, {
    seed,
    workers: 0,
    atBoundary: ({ state }) => {
      if (state.elite) score = judge.score(state.elite);
      return false;
    },
  });
  return score;
}

const tasks = TASKS.filter(
  ({ algorithm, environment: { name } }) =>
    algorithm === options.algorithm && (options.task.length === 0 || options.task.includes(name)),
);
const recipes = options.recipe.map((name) => {
  const recipe = RECIPES[name];
  if (recipe) return { name, recipe };
  throw new RangeError(`--recipe: found "${name}", allowed ${Object.keys(RECIPES).join("; ")}`);
});
const seeds = options.seeds.split(",").map(Number);
mkdirSync(new URL(".", FILE), { recursive: true });
const keyOf = (task: Task, name: string, seed: number) => JSON.stringify([task, RECIPES[name], seed]);
for (const seed of seeds)
  for (const task of tasks)
    for (const { name, recipe } of recipes) {
      const key = keyOf(task, name, seed);
      if (known().has(key)) continue;
      const start = process.cpuUsage().user;
      const score = await measure(task, recipe, seed);
      appendFileSync(FILE, `${JSON.stringify({ key, score })}\n`);
      const seconds = (process.cpuUsage().user - start) / 1e6;
      console.log(`${task.environment.name} ${name} ${seed}: ${score.toFixed(1)} (${seconds.toFixed(1)} s)`);
    }

const scores = known();
const cell = (task: Task, name: string): string =>
  seeds.map((seed) => scores.get(keyOf(task, name, seed))?.toFixed(1) ?? "").join(", ");
console.log(
  markdownTable(
    ["task", ...recipes.map(({ name }) => name)],
    tasks.map((task) => [task.environment.name, ...recipes.map(({ name }) => cell(task, name))]),
  ),
);
