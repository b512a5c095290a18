/** Runs in an environment that JavaScript steps and that is known by name. */
import { describe, expect, it } from "vitest";
import { DivergedError } from "../../../src/evolution/members.ts";
import { WasmDevice } from "../../../src/kernels/devices.ts";
import { loadEnvironment, makeVector } from "../../../src/rl/environments.ts";
import { memoryFileStore } from "../../../src/storage/index.ts";
import {
  Accelerator,
  LocalTrainer,
  type OffPolicyOptions,
  type TrainerOptions,
  type TrainingEvent,
  trainOffPolicy,
} from "../../../src/training/index.ts";
import { registeredMembers } from "../../../src/training/workloads.ts";
import { keepThreads } from "../../workers/inside/support/keptThreads.ts";
import { dqnPopulation, offPolicy } from "../support/functions.ts";
import { type Changes, dqn, EVOLUTION, ppo, statesOf, type Trained, trained } from "../support/tiny.ts";

keepThreads();

const lander = (name: string) => ({ environment: { env_type: "gym" as const, name, num_envs: 4 } });

const RUNS: [string, string, (changes?: Changes) => TrainerOptions][] = [
  ["DQN", "LunarLander-v3", (changes) => dqn({ ...EVOLUTION, ...lander("LunarLander-v3"), ...changes })],
  [
    "PPO",
    "LunarLanderContinuous-v3",
    (changes) => ppo({ ...EVOLUTION, ...lander("LunarLanderContinuous-v3"), ...changes }),
  ],
  ["PPO", "HalfCheetah-v5", (changes) => ppo({ ...EVOLUTION, ...lander("HalfCheetah-v5"), ...changes })],
];

const end = ({ population, fitnesses, state }: Trained) => ({
  members: statesOf(population),
  fitnesses,
  elite: state.elite,
  replay: state.replay,
});

const EVALUATION = { eval_steps: 60 };

describe.each(RUNS)("%s on %s by name", (_name, id, options) => {
  it("gives the same bits in workers", async () => {
    const training = { ...EVALUATION, pop_size: 3 };
    const here = end(await trained(options({ training })));
    const accelerator = new Accelerator({ workers: 2 });
    expect(end(await trained(options({ training, accelerator })))).toEqual(here);
  });

  it("resumes to the same bits", async () => {
    const whole = { ...EVALUATION, max_steps: 640 };
    const expected = end(await trained(options({ training: whole })));
    const store = memoryFileStore();
    const half = await trained(options({ training: { ...EVALUATION, max_steps: 320 }, store }), {
      checkpoint_steps: 1,
    });
    const resume_from_checkpoint = half.recorder.checkpoints.at(-1) as string;
    expect(end(await trained(options({ training: whole, store, resume_from_checkpoint })))).toEqual(expected);
  });

  it("evaluates a member as its turn did", async () => {
    const { state } = await trained(
      options({ training: { ...EVALUATION, pop_size: 1, evo_steps: 128, max_steps: 128 } }),
    );
    const [agent] = state.members;
    if (!agent) throw new Error("no member");
    const source = await registeredMembers(id);
    const runner = source.runner(new WasmDevice(), null);
    const turn = { slot: 0, generation: state.generation, seed: 42, num_envs: 4, evo_steps: 0 };
    const work = runner.evaluate(agent, { ...turn, eval_loop: 1, eval_steps: 60, off_policy: null });
    let next = work.next();
    while (!next.done) next = work.next();
    expect(next.value.fitness).toBe(agent.fitness.at(-1));
    runner.release();
  });
});

it("says which environments there are when a name is unknown", () => {
  expect(() => new LocalTrainer(dqn(lander("LunarLander-v2")))).toThrow('did you mean "LunarLander-v3"?');
});

describe("lanes of LunarLander that makeVector made", () => {
  const generations = async (options: Partial<OffPolicyOptions>) => {
    const warnings: string[] = [];
    const on = (event: TrainingEvent) => void (event.event === "warning" && warnings.push(event.message));
    const [population, fitnesses] = await trainOffPolicy(
      offPolicy({ max_steps: 320, eval_steps: 40, observer: { on }, ...options }),
    );
    return { states: population.map(({ state }) => state), fitnesses, warnings };
  };

  it("train like the name, in workers too", async () => {
    await loadEnvironment("LunarLander-v3");
    const env = makeVector("LunarLander-v3", 4);
    const here = await generations({ env });
    const accelerator = new Accelerator({ workers: 2 });
    const there = await generations({ env, pop: dqnPopulation(env), accelerator });
    expect(there.states).toEqual(here.states);
    expect(there.fitnesses).toEqual(here.fitnesses);
    expect(there.warnings).toEqual(here.warnings);
    expect(new LocalTrainer({ ...dqn(), environment: env }).manifest.environment).toMatchObject({
      custom: false,
    });
  });

  it("train with the options that they were made with", async () => {
    await loadEnvironment("LunarLander-v3");
    const env = makeVector("LunarLander-v3", 4, { enable_wind: true });
    const trainer = new LocalTrainer({ ...dqn(), environment: env });
    expect(trainer.manifest.environment).toMatchObject({
      name: "LunarLander-v3",
      custom: false,
      env_config: { enable_wind: true },
    });
    const [windy, still] = [
      await generations({ env }),
      await generations({ env: makeVector("LunarLander-v3", 4) }),
    ];
    expect(windy.fitnesses).not.toEqual(still.fitnesses);
  });
});

it("a member whose physics becomes unstable has diverged", async () => {
  const environment = {
    env_type: "gym" as const,
    name: "HalfCheetah-v5",
    num_envs: 2,
    env_config: { reset_noise_scale: 1e12 },
  };
  const run = trained(ppo({ environment, training: { pop_size: 1 } }));
  await expect(run).rejects.toThrow(DivergedError);
  await expect(run).rejects.toThrow(/member 0: HalfCheetah-v5: .*the physics became unstable/);
});
