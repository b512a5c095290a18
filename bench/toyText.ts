/**
 * `npx tsx bench/toyText.ts [--environment ID] [--algorithm NAME] [--steps N] [--seeds 1,2] [--set FIELD=NUMBER]...`:
 * trains one agent for each seed and prints the mean return of 64 greedy episodes beside that of 64 episodes whose
 * actions are sampled from the policy. A policy that hardly prefers one action may reach the goal only when sampled.
 */
import { parseArgs } from "node:util";
import type { SupportedAgent } from "../src/agents/classes.ts";
import { makeVector } from "../src/rl/environments.ts";
import { LocalTrainer, type TrainerOptions } from "../src/training/index.ts";

const { values: options } = parseArgs({
  options: {
    environment: { type: "string", default: "CliffWalking-v1" },
    algorithm: { type: "string", default: "PPO" },
    steps: { type: "string", default: "100000" },
    seeds: { type: "string", default: "1,2,3,4,5" },
    set: { type: "string", multiple: true, default: [] },
  },
});

const EPISODES = 64;
const LANES = 32;
const { environment } = options;
const steps = Number(options.steps);

/** Mean return of the first episodes to end. */
function played(agent: SupportedAgent, seed: number, training: boolean): number {
  const env = makeVector(environment, LANES);
  let { observation } = env.reset({ seed: 9000 + seed });
  const sums = new Float64Array(LANES);
  const returns: number[] = [];
  while (returns.length < EPISODES) {
    const actions = agent.getAction(observation as never, { training, num_envs: LANES, epsilon: 0 });
    const step = env.step(actions as Int32Array);
    ({ observation } = step);
    for (let lane = 0; lane < LANES; lane++) {
      sums[lane] = (sums[lane] ?? 0) + (step.reward[lane] ?? 0);
      if (step.terminated[lane] !== 1 && step.truncated[lane] !== 1) continue;
      returns.push(sums[lane] ?? 0);
      sums[lane] = 0;
    }
  }
  env.close();
  return returns.reduce((sum, x) => sum + x, 0) / returns.length;
}

const fields = Object.fromEntries(
  options.set.map((text) => {
    const [name = "", value] = text.split("=");
    return [name, value === "true" || value === "false" ? value === "true" : Number(value)];
  }),
);
console.log("| seed | steps | greedy | sampled |\n|---|---|---|---|");
for (const seed of options.seeds.split(",").map(Number)) {
  const trainer = new LocalTrainer({
    algorithm: { name: options.algorithm, ...fields },
    environment: { env_type: "gym", name: environment, num_envs: 16 },
    training: { pop_size: 1, max_steps: steps, evo_steps: Math.max(8192, steps / 8) },
    seed,
    // Names and fields are the caller's.
  } as unknown as TrainerOptions);
  const [population] = await trainer.train({ verbose: false, observer: { on: () => undefined } });
  const [agent] = population;
  if (!agent) throw new Error("the run returned no agent");
  const [greedy, sampled] = [false, true].map((training) => played(agent, seed, training).toFixed(1));
  console.log(`| ${seed} | ${agent.steps.toLocaleString("en")} | ${greedy} | ${sampled} |`);
}
