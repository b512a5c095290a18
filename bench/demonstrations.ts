/**
 * `npx tsx bench/demonstrations.ts [--seed N]... [--workers N] [--max-steps N] [--no-record]`: PPO in LunarLander-v3 from
 * scratch, and after BC of 20 scripted episodes with a loss of imitation that fades. A seed passes if the latter reaches
 * 200 in at most half of the steps. Both have the settings of the template ppo-lunarlander, one agent and no evolution.
 */
import { parseArgs } from "node:util";
import { minariFiles, type Recording, recordEpisodes, returnOf } from "../src/datasets/record.ts";
import { builtInTemplate } from "../src/manifests/templates.ts";
import { loadEnvironment, make } from "../src/rl/environments.ts";
import { type FileStore, memoryFileStore } from "../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainerOptions } from "../src/training/index.ts";
import type { TrainingRun } from "../src/training/loop.ts";
import type { RlKinds } from "../src/training/workloads.ts";
import "../src/workers/index.ts";
import { heuristic } from "../tests/rl/environments/lunarLander/heuristic.ts";
import { machineNote } from "./harness/machine.ts";
import { recordLearning, type SeedOutcome } from "./learning/recordLearning.ts";
import type { Point } from "./learning/trainOnce.ts";
import { verdictOf } from "./learning/verdict.ts";
import { Judge } from "./subjects/judge.ts";

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", multiple: true, default: ["1", "2", "3", "4", "5"] },
    workers: { type: "string", default: "1" },
    "max-steps": { type: "string", default: "1000000" },
    "no-record": { type: "boolean", default: false },
  },
});

const ENVIRONMENT = "LunarLander-v3";
const [SHOWN, ENOUGH] = [20, 200];
/** Probability that the pilot does something else. */
const EPSILON = 0.2;
const max_steps = Number(options["max-steps"]);

const { algorithm, environment, network, training } = builtInTemplate("ppo-lunarlander").manifest;

/** Episodes of the published rule, with mistakes. */
async function shownEpisodes(seed: number): Promise<Recording> {
  const recording = await recordEpisodes({
    env: make(ENVIRONMENT),
    environment: ENVIRONMENT,
    actor: { getAction: (observation) => heuristic(observation, false) },
    algorithm: `the published rule, ${100 * EPSILON}% random`,
    // More than 20 of the longest episodes.
    steps: SHOWN * 1000,
    epsilon: EPSILON,
    seed,
  });
  return { ...recording, episodes: recording.episodes.slice(0, SHOWN) };
}

const accelerator = new Accelerator({ workers: Number(options.workers) });

/** PPO until it passes: the score of its agent after every generation. */
async function trained(judge: Judge, seed: number, more: object, load?: Partial<TrainerOptions>) {
  const points: Point[] = [];
  const trainer = new LocalTrainer({
    algorithm,
    environment,
    network,
    training: { ...training, hpo: false, pop_size: 1, target_score: null, max_steps, ...more },
    seed,
    accelerator,
    ...load,
    // A template's sections are those of a trainer.
  } as TrainerOptions);
  const runs: TrainingRun<RlKinds>[] = [];
  const start = performance.now();
  let judging = 0;
  await trainer.train({
    verbose: false,
    onRun: (run) => void runs.push(run),
    observer: {
      on: (event) => {
        const [run] = runs;
        const [member] = run?.state.members ?? [];
        if (event.event !== "generation" || !run || !member) return;
        const before = performance.now();
        const seconds = (before - start - judging) / 1000;
        points.push({ steps: member.steps, score: judge.score(member), seconds });
        judging += performance.now() - before;
        if (verdictOf(points, ENOUGH).passed !== null) run.stop();
      },
    },
  });
  return { points, ...verdictOf(points, ENOUGH) };
}

/** Imitates the episodes. @returns where its agent is. */
async function imitated(store: FileStore, seed: number): Promise<string> {
  const trainer = new LocalTrainer({
    algorithm: { name: "BC", lr: 1e-3, batch_size: 128 },
    environment: { ...environment, env_type: "offline", dataset_path: "shown-v0" },
    network,
    training: { max_steps: 3_000, evo_steps: 3_000, pop_size: 1, eval_loop: 1 },
    seed,
    store,
  } as TrainerOptions);
  await trainer.train({ verbose: false, save_elite: true, elite_path: "imitated" });
  return "imitated.safetensors";
}

console.log(machineNote());
await loadEnvironment(ENVIRONMENT);
const judge = await Judge.in(ENVIRONMENT);
const outcomes: SeedOutcome[] = [];
for (const seed of options.seed.map(Number)) {
  const recording = await shownEpisodes(seed);
  const store = memoryFileStore();
  const files = await minariFiles(recording, { dataset_id: "lander/shown-v0" });
  for (const [name, bytes] of Object.entries(files)) await store.write(`shown-v0/data/${name}`, bytes);
  const mean = recording.episodes.reduce((sum, episode) => sum + returnOf(episode), 0) / SHOWN;
  const load_weights_from = await imitated(store, seed);
  const fields = { demonstrations: "shown-v0", demonstration_coef: 0.1, demonstration_steps: 30_000 };
  const after = await trained(judge, seed, fields, { store, load_weights_from });
  const scratch = await trained(judge, seed, {});
  // A run that does not pass needs more steps than it had.
  const needed = scratch.passed?.steps ?? max_steps;
  const passed = after.passed !== null && after.passed.steps <= needed / 2;
  outcomes.push({
    passed,
    steps: after.passed?.steps ?? max_steps,
    score: after.last,
    seconds: after.seconds,
  });
  const told = ({ points }: { readonly points: readonly Point[] }) =>
    points.map(({ score }) => score.toFixed(0)).join(" ");
  console.log(
    `seed ${seed}: shown ${mean.toFixed(0)}; after BC ${after.passed?.steps ?? "never"} (${told(after)}); from scratch ${scratch.passed?.steps ?? "never"} (${told(scratch)}); ${passed ? "passed" : "failed"}`,
  );
}
if (!options["no-record"])
  recordLearning({
    row: "lander-ppo-shown",
    title: `PPO after BC of ${SHOWN} landings: ${ENOUGH} in half the steps`,
    command: "npx tsx bench/demonstrations.ts",
    must_pass: 4,
    outcomes,
  });
