/**
 * `npx tsx bench/offline.ts [--data good|random] [--algorithm CQN|DQN-loss] [--workers N] [--fixed] [--seed N]...`: learns
 * CartPole from recorded steps and prints the mean return of 20 greedy episodes after every generation.
 * --fixed disables evolution.
 *
 * good: 20,000 steps of a rule with two fifths of its actions random. random: 50,000 random steps.
 */
import { parseArgs } from "node:util";
import { minariFiles, recordEpisodes, returnOf } from "../src/datasets/record.ts";
import { make } from "../src/rl/environments.ts";
import { memoryFileStore } from "../src/storage/index.ts";
import { Accelerator, LocalTrainer } from "../src/training/index.ts";
import "../src/workers/index.ts";
import { machineNote } from "./harness/machine.ts";
import { recordLearning, type SeedOutcome } from "./learning/recordLearning.ts";

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: "good" },
    algorithm: { type: "string", default: "CQN" },
    seed: { type: "string", multiple: true, default: ["1", "2", "3", "4", "5"] },
    population: { type: "string" },
    workers: { type: "string", default: "1" },
    fixed: { type: "boolean", default: false },
  },
});

const isGood = options.data === "good";
const STEPS = isGood ? 20_000 : 50_000;
const EVERY = isGood ? 2_000 : 5_000;
const population = Number(options.population ?? (isGood ? 1 : 4));
const evolves = population > 1 && !options.fixed;

/** Pushes towards the side to which the pole leans. Without the random actions, this balances it. */
const rule = {
  getAction: ([, , angle = 0, speed = 0]: ArrayLike<number> & Iterable<number>) =>
    angle + speed > 0 ? 1 : 0,
};

async function dataOf(seed: number) {
  const recording = await recordEpisodes({
    env: make("CartPole-v1"),
    environment: "CartPole-v1",
    actor: isGood ? (rule as never) : null,
    algorithm: isGood ? "a rule, 40 % random" : "random",
    steps: STEPS,
    epsilon: 0.4,
    seed,
  });
  const store = memoryFileStore();
  const files = await minariFiles(recording, { dataset_id: "cartpole/recorded-v0" });
  for (const [name, bytes] of Object.entries(files)) await store.write(`recorded-v0/data/${name}`, bytes);
  const returns = recording.episodes.map(returnOf);
  const mean = returns.reduce((sum, x) => sum + x, 0) / returns.length;
  return { store, mean, episodes: returns.length };
}

/** The best member's return that must be reached: at any time from good data, twice in succession from random ones. */
const ENOUGH = isGood ? 475 : 200;
const isReached = (best: readonly number[]): boolean =>
  best.some((score, i) => score >= ENOUGH && (isGood || (best[i + 1] ?? 0) >= ENOUGH));

console.log(machineNote());
const outcomes: SeedOutcome[] = [];
for (const seed of options.seed.map(Number)) {
  const { store, mean, episodes } = await dataOf(seed);
  const trainer = new LocalTrainer({
    algorithm: {
      name: "CQN",
      double: true,
      lr: 1e-3,
      tau: 0.005,
      batch_size: 128,
      // Without its conservative term, CQN is deep Q-learning.
      ...(options.algorithm === "CQN" ? {} : { alpha: 0 }),
    },
    environment: { env_type: "offline", name: "CartPole-v1", num_envs: 20, dataset_path: "recorded-v0" },
    training: { max_steps: isGood ? 20_000 : 50_000, evo_steps: EVERY, pop_size: population },
    network: { latent_dim: 64, encoder_config: { hidden_size: [64] }, head_config: { hidden_size: [64] } },
    ...(evolves && {
      mutation: {
        probabilities: {
          no_mut: 0.4,
          arch_mut: 0.2,
          new_layer: 0.2,
          params_mut: 0.2,
          act_mut: 0,
          rl_hp_mut: 0.2,
        },
      },
      selection_strategy: { tournament_size: 2, elitism: true },
    }),
    seed,
    store,
    accelerator: new Accelerator({ workers: Number(options.workers) }),
  });
  const best: number[] = [];
  const start = performance.now();
  await trainer.train({
    verbose: false,
    observer: {
      on: (event) => void (event.event === "generation" && best.push(Math.max(...event.fitnesses))),
    },
  });
  const seconds = (performance.now() - start) / 1000;
  outcomes.push({ passed: isReached(best), steps: STEPS, score: best.at(-1) ?? Number.NaN, seconds });
  console.log(
    `seed ${seed}: data ${episodes} episodes, mean return ${mean.toFixed(0)}; best by generation ${best.map((x) => x.toFixed(0)).join(" ")}; ${seconds.toFixed(0)} s`,
  );
}
const learner = options.algorithm === "CQN" ? "cqn" : "q-learning";
const data = isGood ? "20,000 steps of a rule" : "50,000 random steps";
recordLearning({
  row: `offline-${learner}-${options.data}`,
  title: `${learner === "cqn" ? "CQN" : "deep Q-learning"} from ${data} in CartPole-v1: ${ENOUGH}`,
  command: `npx tsx bench/offline.ts --algorithm ${options.algorithm} --data ${options.data}`,
  must_pass: isGood ? 5 : 4,
  outcomes,
});
