/**
 * `npx tsx bench/bandits.ts [--algorithm NeuralUCB|NeuralTS]... [--seed N]...`: runs 2,500 choices on a table
 * of four features and three classes, and prints the mean reward of every 250 choices.
 *
 * The table is the built-in flowers table.
 */
import { parseArgs } from "node:util";
import { createPopulation, ReplayBuffer } from "../src/agents/classes.ts";
import { BanditEnvironment, flowers } from "../src/rl/environments.ts";
import { trainBandits } from "../src/training/index.ts";
import { machineNote } from "./harness/machine.ts";
import { recordLearning, type SeedOutcome } from "./learning/recordLearning.ts";

const { values: options } = parseArgs({
  options: {
    algorithm: { type: "string", multiple: true, default: ["NeuralUCB", "NeuralTS"] },
    seed: { type: "string", multiple: true, default: ["1", "2", "3", "4", "5"] },
  },
});

const CHOICES = 2_500;
const WINDOW = 250;
/** Mean reward of a window that must be reached. */
const ENOUGH = 0.95;

/** Records the rewards of training choices only: odd resets start training, even resets evaluation. */
class Counted extends BanditEnvironment {
  readonly rewards: number[] = [];
  #resets = 0;

  override reset(...given: Parameters<BanditEnvironment["reset"]>) {
    this.#resets++;
    return super.reset(...given);
  }

  override step(...given: Parameters<BanditEnvironment["step"]>) {
    const result = super.step(...given);
    if (this.#resets % 2 === 1) this.rewards.push(result.reward);
    return result;
  }
}

console.log(machineNote());
const { features, targets } = flowers();
for (const algorithm of options.algorithm as ("NeuralUCB" | "NeuralTS")[]) {
  const outcomes: SeedOutcome[] = [];
  for (const seed of options.seed.map(Number)) {
    const env = new Counted(features, targets);
    const { observation_space, action_space } = env;
    const pop = createPopulation({ algorithm, observation_space, action_space, population_size: 1, seed });
    const start = performance.now();
    await trainBandits({
      env,
      env_name: "table",
      algo: algorithm,
      pop: pop as never,
      memory: new ReplayBuffer({ max_size: 10_000 }),
      max_steps: CHOICES,
      seed,
      verbose: false,
    });
    const means = Array.from({ length: CHOICES / WINDOW }, (_, i) => {
      const part = env.rewards.slice(i * WINDOW, (i + 1) * WINDOW);
      return part.reduce((sum, x) => sum + x, 0) / part.length;
    });
    const at = means.findIndex((mean) => mean >= ENOUGH);
    const seconds = (performance.now() - start) / 1000;
    outcomes.push({ passed: at >= 0, steps: (at + 1) * WINDOW, score: means.at(-1) ?? Number.NaN, seconds });
    const regret = env.rewards.reduce((sum, x) => sum + 1 - x, 0);
    console.log(
      `${algorithm} seed ${seed}: mean reward of each ${WINDOW} choices ${means.map((x) => x.toFixed(2)).join(" ")}; regret ${regret}; ${seconds.toFixed(0)} s`,
    );
  }
  recordLearning({
    row: `bandits-${algorithm.toLowerCase()}`,
    title: `${algorithm}: a mean reward of ${ENOUGH} over ${WINDOW} of ${CHOICES.toLocaleString("en-US")} choices`,
    command: `npx tsx bench/bandits.ts --algorithm ${algorithm}`,
    must_pass: 4,
    outcomes,
  });
}
