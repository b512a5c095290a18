/**
 * `npx tsx bench/ownSets.ts [--task NAME]... [--algorithm BC|TD3BC|IQL|CQL]... [--seed N]... [--steps N] [--no-record]`:
 * learns from data sets of rlkit's own making. They are the levels of one run in each environment, by `rlkit train` and
 * `rlkit record --levels`; points are 0 for the random set's mean return and 100 for the expert's. Sets and finished seeds
 * are kept in .cache/own-sets, so an interrupted row continues. Results are recorded once all seeds of a task are there.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildLibIfStale } from "../scripts/lib/build.mjs";
import { openDataset } from "../src/datasets/index.ts";
import { normalisedReturn } from "../src/datasets/view.ts";
import { builtInTemplate, type Template } from "../src/manifests/templates.ts";
import { Accelerator, LocalTrainer, type TrainerOptions } from "../src/training/index.ts";
import "../src/workers/index.ts";
import { machineNote } from "./harness/machine.ts";
import type { Figure } from "./harness/Row.ts";
import { reportSamples } from "./harness/record.ts";
import { hopperOffPolicy } from "./subjects/bodies.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const CACHE = path.join(ROOT, ".cache", "own-sets");
/** Of the runs whose elites are recorded. */
const MAKER_SEED = 42;
const EPISODES = 20;

type Manifest = Template["manifest"];
type Learner = "BC" | "TD3BC" | "IQL" | "CQL";
/** Without CQL, whose learning step takes many times as long; `--algorithm CQL` tells what it reaches. */
const LEARNERS: readonly Learner[] = ["BC", "TD3BC", "IQL"];

interface Source {
  readonly manifest: Manifest;
  /** Recorded steps of each level. */
  readonly steps: number;
  readonly gamma: number;
}

function alone(manifest: Manifest): Manifest {
  const { mutation: _, selection_strategy: __, ...rest } = manifest;
  const training = { ...rest.training, hpo: false, pop_size: 1, target_score: null, eval_loop: 1 };
  return { ...rest, training };
}

/** SAC, by which D4RL's bodies were trained too. @param max_steps Length of the run. */
const body = (environment: string, max_steps: number): Manifest => {
  const { environment: _, training, ...settings } = hopperOffPolicy("SAC");
  return {
    ...settings,
    environment: { name: environment, num_envs: 1 },
    training: { ...training, max_steps, evo_steps: max_steps / 20, pop_size: 1, hpo: false },
  };
};

/** Runs that become data sets. */
const SOURCES = {
  "Hopper-v5": { manifest: body("Hopper-v5", 200_000), steps: 100_000, gamma: 0.99 },
  "HalfCheetah-v5": { manifest: body("HalfCheetah-v5", 100_000), steps: 100_000, gamma: 0.99 },
  "Pendulum-v1": { manifest: alone(builtInTemplate("ppo-pendulum").manifest), steps: 20_000, gamma: 0.95 },
} as const satisfies Record<string, Source>;

interface Task {
  readonly environment: keyof typeof SOURCES;
  readonly level: string;
  readonly learners: readonly Learner[];
}

const TASKS: Readonly<Record<string, Task>> = {
  "hopper-replay": { environment: "Hopper-v5", level: "medium-replay", learners: LEARNERS },
  "cheetah-replay": { environment: "HalfCheetah-v5", level: "medium-replay", learners: LEARNERS },
  "pendulum-medium": { environment: "Pendulum-v1", level: "medium", learners: LEARNERS },
  "hopper-expert": { environment: "Hopper-v5", level: "expert", learners: ["BC"] },
};

const { values: options } = parseArgs({
  options: {
    task: { type: "string", multiple: true, default: Object.keys(TASKS) },
    algorithm: { type: "string", multiple: true, default: [] },
    seed: { type: "string", multiple: true, default: ["1", "2", "3", "4", "5"] },
    steps: { type: "string", default: "30000" },
    "no-record": { type: "boolean", default: false },
  },
});
const steps = Number(options.steps);
const seeds = options.seed.map(Number);

const isLearner = (name: string): name is Learner => Object.hasOwn(SETTINGS, name);

const digest = (value: object): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12);

/** The folder of an environment's levels, which are made if they are not there. */
function levelsOf(environment: Task["environment"]): string {
  const source = SOURCES[environment];
  const folder = path.join(CACHE, `${environment}-${digest({ source, MAKER_SEED })}`);
  const data = path.join(folder, "data");
  if (existsSync(path.join(data, "expert", "data", "main_data.hdf5"))) return data;
  mkdirSync(folder, { recursive: true });
  const manifest = path.join(folder, "manifest.json");
  writeFileSync(manifest, JSON.stringify(source.manifest));
  const rlkit = (...args: string[]) =>
    execFileSync(process.execPath, [path.join(ROOT, "dist/lib/cli/rlkit.js"), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
      encoding: "utf8",
    });
  const run = path.join(folder, "run");
  const seed = ["--seed", String(MAKER_SEED)];
  if (!existsSync(path.join(run, "elite.safetensors")))
    rlkit("train", manifest, ...seed, "--workers", "1", "--out", run, "--json");
  const recorded = ["--levels", "--steps", String(source.steps), ...seed, "--out", data];
  process.stdout.write(rlkit("record", run, ...recorded));
  return data;
}

const RATES = { lr_actor: 1e-3, lr_critic: 1e-3, tau: 0.01 };
/** Papers' own values, but faster rates and smaller networks, chosen with seed 11: they learn for a million steps. */
const SETTINGS: Readonly<Record<Learner, object>> = {
  BC: { lr: 1e-3 },
  TD3BC: RATES,
  IQL: RATES,
  CQL: { ...RATES, lr_actor: 3e-4 },
};

const layers = { hidden_size: [64], layer_norm: false };
const network = { latent_dim: 64, encoder_config: layers, head_config: layers };

/** An open set's file, and the returns of its episodes. */
interface OwnSet {
  readonly dataset_path: string;
  readonly sha256: string | null;
  readonly returns: readonly number[];
}

/** The mean return of greedy episodes after the last step. */
async function learned(
  learner: Learner,
  task: Task,
  { dataset_path, returns }: OwnSet,
  seed: number,
): Promise<number> {
  const { gamma } = SOURCES[task.environment];
  const trainer = new LocalTrainer({
    algorithm: { name: learner, batch_size: 256, ...SETTINGS[learner], ...(learner !== "BC" && { gamma }) },
    environment: {
      env_type: "offline",
      name: task.environment,
      num_envs: EPISODES,
      dataset_path,
      normalize: { observations: true },
      // Section 5.1 of its paper.
      ...(learner === "IQL" && { reward_scale: 1000 / (Math.max(...returns) - Math.min(...returns)) }),
    },
    training: { max_steps: steps, evo_steps: steps, pop_size: 1, eval_loop: 1 },
    network,
    seed,
    accelerator: new Accelerator({ workers: 1 }),
    // A learner's settings are those of its own algorithm.
  } as TrainerOptions);
  const [, [fitness]] = await trainer.train({ verbose: false });
  return fitness ?? Number.NaN;
}

/** As `learned`, once. */
async function result(learner: Learner, name: string, set: OwnSet, seed: number): Promise<number> {
  const task = TASKS[name] as Task;
  const key = digest({
    learner,
    task,
    source: SOURCES[task.environment],
    SETTINGS,
    network,
    steps,
    seed,
    sha256: set.sha256,
  });
  const file = path.join(CACHE, `${name}-${learner}-${seed}-${key}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as number;
  const start = performance.now();
  const found = await learned(learner, task, set, seed);
  writeFileSync(file, JSON.stringify(found));
  console.log(
    `${name} ${learner} seed ${seed}: ${found.toFixed(1)}, ${((performance.now() - start) / 1000).toFixed(0)} s`,
  );
  return found;
}

const points = (name: string, target?: number): Figure => ({
  name,
  unit: "points",
  ...(target !== undefined && { target: { at_least: target } }),
});

if (!(await buildLibIfStale())) process.exit(1);
console.log(machineNote());
for (const name of options.task) {
  const task = TASKS[name];
  if (!task) throw new Error(`--task: found ${name}, allowed ${Object.keys(TASKS).join(", ")}`);
  const dataset_path = path.join(levelsOf(task.environment), task.level);
  const dataset = await openDataset(dataset_path);
  const score = (mean: number): number => normalisedReturn(mean, dataset) ?? Number.NaN;
  const returns = dataset.episodes().map((episode) => episode.return);
  const behaviour = score(returns.reduce((sum, x) => sum + x, 0) / returns.length);
  dataset.close();
  const learners = options.algorithm.length === 0 ? task.learners : options.algorithm.filter(isLearner);
  const samples: number[][] = [];
  for (const seed of seeds) {
    const found: number[] = [];
    for (const learner of learners)
      found.push(score(await result(learner, name, { dataset_path, sha256: dataset.sha256, returns }, seed)));
    samples.push(found);
    console.log(
      `${name} seed ${seed}: ${learners.map((learner, i) => `${learner} ${found[i]?.toFixed(1)}`).join(", ")}; behaviour ${behaviour.toFixed(1)}`,
    );
  }
  if (options["no-record"] || options.algorithm.length > 0) continue;
  const gains = ["TD3BC", "IQL"] as const;
  const at = (sample: readonly number[], learner: Learner): number =>
    sample[learners.indexOf(learner)] ?? Number.NaN;
  const compares = learners.length > 1;
  reportSamples({
    row: `offline-${name}`,
    title: `${task.environment.replace(/-v\d+$/, "")}, ${task.level}`,
    command: `npx tsx bench/ownSets.ts --task ${name}`,
    figures: [
      ...learners.map((learner) => points(learner, compares ? undefined : 90)),
      points("the data's mean return"),
      ...(compares ? gains.map((learner) => points(`${learner} above BC`, 10)) : []),
    ],
    samples: samples.map((sample) => [
      ...sample,
      behaviour,
      ...(compares ? gains.map((learner) => at(sample, learner) - at(sample, "BC")) : []),
    ]),
  });
}
