/** Threads that are killed in the middle of iterations of evolution strategies. RLKIT_WORKER_KILLS, which `npm run soak` sets, is their number in each run. */
// @apart: its programs and devices fill much memory.
import { expect, it } from "vitest";
import { provideWorkerPool } from "../../src/training/executors.ts";
import { Accelerator, type TrainerOptions } from "../../src/training/index.ts";
import { type Spawn, WorkerExecutor } from "../../src/workers/computing.ts";
import { randomFrom } from "../support/randomFrom.ts";
import { rollouts, trained as trainedModels } from "../training/support/languageRuns.ts";
import { type Changes, endOf, es, trained } from "../training/support/tiny.ts";
import { keepThreads } from "./inside/support/keptThreads.ts";

const KILLS = Number(process.env.RLKIT_WORKER_KILLS ?? 2);
/** Most time of a turn before its thread is killed. The end of its first iteration comes earlier in slow ones. */
const MOST_MS = 60;
const random = randomFrom(Number(process.env.RLKIT_PROPERTY_SEED ?? 1));
const spawn = keepThreads();

/** Lets runs have threads that are killed in their first turns, once for each. @returns the kills so far. */
function killThreads(): { kills: number } {
  const told = { kills: 0 };
  const begun = new Set<string>();
  const mortal: Spawn = (events) => {
    let [alive, turn] = [true, -1];
    const kill = (): void => {
      if (!alive) return;
      alive = false;
      told.kills += 1;
      thread.terminate();
      events.failed("killed");
    };
    const thread = spawn({
      ...events,
      message: (message) => {
        if (message.type === "slice" && message.id === turn) kill();
        else if (alive) events.message(message);
      },
    });
    return {
      post: (message) => {
        thread.post(message);
        if (message.type !== "turn" || begun.size === KILLS) return;
        const { generation, slot } = message.turn.turn;
        const place = `${generation} ${slot}`;
        if (begun.has(place)) return;
        begun.add(place);
        turn = message.id;
        setTimeout(kill, random() * MOST_MS);
      },
      terminate: () => {
        if (alive) thread.terminate();
        alive = false;
      },
    };
  };
  provideWorkerPool((request) => new WorkerExecutor({ ...request, spawn: mortal }));
  return told;
}

/** Generations of two members, the first of which are killed. */
const GENERATIONS = KILLS / 2 + 2;
const policies = (changes: Changes) => async (workers: number) => {
  const evo_steps = 400;
  const options: TrainerOptions = es({
    ...changes,
    seed: 7,
    training: { evo_steps, max_steps: evo_steps * GENERATIONS },
  });
  return endOf(await trained({ ...options, accelerator: new Accelerator({ workers }) }));
};
const models = async (workers: number) => {
  const { mutation: _, selection_strategy: __, ...sections } = rollouts();
  const manifest = {
    ...sections,
    algorithm: { name: "LLMES", perturbations: 8, batch_size: 4, max_output_tokens: 1 },
    network: { ...sections.network, lora_config: { lora_r: 2, lora_alpha: 4 } },
    training: {
      pop_size: 2,
      evo_steps: 2,
      evaluation_interval: 2,
      max_steps: 128 * GENERATIONS,
      eval_loop: 4,
    },
  };
  const { population, fitnesses, generations } = await trainedModels(manifest, { workers });
  return { population, fitnesses, generations: generations.length };
};

it.each<[string, (workers: number) => Promise<object>]>([
  ["ES", policies({})],
  [
    "ES in an environment that JavaScript steps",
    policies({
      environment: {
        env_type: "gym",
        name: "LunarLander-v3",
        num_envs: 4,
        env_config: { max_episode_steps: 100 },
      },
    }),
  ],
  ["LLMES", models],
])("a member whose thread is killed in an iteration learns to the same bits: %s", async (_name, run) => {
  provideWorkerPool((request) => new WorkerExecutor({ ...request, spawn }));
  const whole = await run(1);
  const told = killThreads();
  expect(await run(2)).toEqual(whole);
  expect(told.kills).toBe(KILLS);
});
