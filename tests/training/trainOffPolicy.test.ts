import { describe, expect, it } from "vitest";
import { DQN, ReplayBuffer } from "../../src/agents/classes.ts";
import { make, makeVector } from "../../src/rl/environments.ts";
import type { Action } from "../../src/rl/faces.ts";
import { Accelerator, type OffPolicyOptions, trainOffPolicy } from "../../src/training/index.ts";
import { probe } from "../rl/support/probes.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { dqnPopulation, evolution, offPolicy } from "./support/functions.ts";
import { LevelEnvironment } from "./support/levelEnvironment.ts";
import { dqn, EVOLUTION, Recorder, statesOf, trained } from "./support/tiny.ts";

keepThreads();
// Brings in the pool of workers.

describe("trainOffPolicy", () => {
  it("ends with the bits of LocalTrainer", async () => {
    const expected = await trained(dqn(EVOLUTION));
    const [population, fitnesses] = await trainOffPolicy(offPolicy(evolution()));
    expect(statesOf(population)).toEqual(statesOf(expected.population));
    expect(fitnesses).toEqual(expected.fitnesses);
    const spread = await trainOffPolicy(
      offPolicy({ ...evolution(), accelerator: new Accelerator({ workers: 2 }) }),
    );
    expect(statesOf(spread[0])).toEqual(statesOf(population));
  });

  it("returns agents that act and evaluate, and leaves the caller's as they were", async () => {
    const options = offPolicy({ max_steps: 160 });
    const before = statesOf(options.pop);
    const [population] = await trainOffPolicy(options);
    expect(statesOf(options.pop)).toEqual(before);
    for (const agent of population) {
      expect(agent).toBeInstanceOf(DQN);
      expect([0, 1]).toContain(agent.getAction([0, 0, 0, 0], { training: false }));
      expect(agent.test(make("CartPole-v1"))).toBeGreaterThan(0);
      expect(agent.fitness).toHaveLength(2);
    }
    // They may go on.
    const [more] = await trainOffPolicy(offPolicy({ pop: population, max_steps: 320 }));
    expect(more.map(({ steps }) => steps)).toEqual([320, 320]);
  });

  it("stores what was seen in the caller's memory, and learns from what was there", async () => {
    const memory = new ReplayBuffer({ max_size: 1000 });
    await trainOffPolicy(offPolicy({ memory, max_steps: 160 }));
    expect([memory.size, memory.population]).toEqual([320, 2]);
    const { obs, reward } = memory.sample(100, { seed: 1 });
    expect(obs.every(Number.isFinite) && reward.every((r) => r === 1)).toBe(true);

    // One vector step sees no batch of 300 of its own.
    const recorder = new Recorder();
    const env = makeVector("CartPole-v1", 4);
    const pop = dqnPopulation(env, 2, { batch_size: 300 });
    const short = { env, pop, observer: recorder, max_steps: 4, evo_steps: 4 };
    await trainOffPolicy(offPolicy({ ...short, memory }));
    await trainOffPolicy(offPolicy({ ...short, memory: new ReplayBuffer({ max_size: 1000 }) }));
    const learned = recorder.generations.map(({ members }) => members.map(({ learn_steps }) => learn_steps));
    expect(learned).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  it("keeps what a run that failed had stored", async () => {
    const memory = new ReplayBuffer({ max_size: 1000 });
    const failing = offPolicy({
      memory,
      observer: {
        on: ({ event }) => {
          if (event === "generation") throw new Error("the screen is gone");
        },
      },
    });
    await expect(trainOffPolicy(failing)).rejects.toThrow("the screen is gone");
    expect(memory.size).toBe(320);
  });

  it("explores as eps_start, eps_end and eps_decay say", async () => {
    const actions = async (options: Partial<OffPolicyOptions>) => {
      const env = new LevelEnvironment(() => 1, { length: 50 });
      const pop = dqnPopulation(env, 1, { lr: 0 });
      await trainOffPolicy(offPolicy({ env, pop, max_steps: 50, evo_steps: 50, ...options }));
      return env.episodes[0]?.actions ?? [];
    };
    const greedy = await actions({ eps_start: 0, eps_end: 0 });
    expect(await actions({ eps_start: 0, eps_end: 0, seed: 1 })).toEqual(greedy);
    const random = await actions({ eps_start: 1, eps_end: 1 });
    expect(random).not.toEqual(greedy);
    const decayed = await actions({ eps_start: 1, eps_end: 0, eps_decay: 0.3 });
    expect(decayed.slice(10)).toEqual(greedy.slice(10));
  });

  it("waits for learning_delay", async () => {
    const recorder = new Recorder();
    await trainOffPolicy(offPolicy({ observer: recorder, max_steps: 160, learning_delay: 159 }));
    // Of 40 vector steps, the last one passes the delay.
    expect(recorder.generations[0]?.members.map(({ learn_steps }) => learn_steps)).toEqual([1, 1]);
  });

  it("learns in an environment of the caller's own", async () => {
    const env = probe("policy");
    const pop = dqnPopulation(env, 2, { lr: 0.01, gamma: 0.9, tau: 0.05, learn_step: 1, batch_size: 16 });
    const [population, fitnesses] = await trainOffPolicy(
      offPolicy({
        env,
        env_name: "probe",
        pop,
        max_steps: 600,
        evo_steps: 300,
        eval_loop: 8,
        eps_decay: 0.99,
      }),
    );
    // The action that pays is the observation.
    expect(fitnesses).toEqual([1, 1]);
    for (const agent of population)
      expect([0, 1].map((observation) => agent.getAction(observation, { training: false }))).toEqual([0, 1]);
  });

  it("keeps agents of a caller's own environment in this thread, on wasm, and says so", async () => {
    const env = new LevelEnvironment(() => 1);
    const observer = new Recorder();
    const options = { env, pop: dqnPopulation(env), max_steps: 8, evo_steps: 8, observer };
    await trainOffPolicy(offPolicy({ ...options, accelerator: new Accelerator({ workers: 3 }) }));
    expect(observer.warnings).toContain(
      "accelerator.workers is 3, which has no effect here: these agents train in one thread",
    );
    const gpu = new Accelerator({ device: "webgpu" });
    await expect(trainOffPolicy(offPolicy({ ...options, accelerator: gpu }))).rejects.toThrow(
      'accelerator.device: found "webgpu", and an environment that is stepped in this process trains on "wasm"',
    );
  });

  it("says which agent failed in the caller's environment, with what was thrown", async () => {
    const thrown = new TypeError("Cannot read properties of undefined (reading 'foo')");
    class Broken extends LevelEnvironment {
      override step(action: Action) {
        if (this.episodes.length > 1) throw thrown;
        return super.step(action);
      }
    }
    const env = new Broken(() => 1);
    const failed = await trainOffPolicy(offPolicy({ env, pop: dqnPopulation(env) })).catch((e: unknown) => e);
    expect(failed).toMatchObject({
      message:
        "member 0 could not be trained: Level-v0: env.step() of lane 0, step 5: threw TypeError: Cannot read properties of undefined (reading 'foo')",
      cause: { cause: thrown },
    });
  });

  it("goes on without an agent that failed in the caller's environment, and names it", async () => {
    let failures = 1;
    class FailsOnce extends LevelEnvironment {
      override step(action: Action) {
        if (failures-- > 0) throw new Error("the socket is closed");
        return super.step(action);
      }
    }
    const env = new FailsOnce(() => 1);
    const observer = new Recorder();
    const options = { env, pop: dqnPopulation(env), max_steps: 8, evo_steps: 8, observer };
    await trainOffPolicy(offPolicy({ ...options, ...evolution() }));
    expect(observer.warnings).toContain(
      "member 0 could not be trained: Level-v0: env.step() of lane 0, step 1: threw Error: the socket is closed. It does not take part in this generation's selection and is replaced by a copy of a better member.",
    );
  });

  it("needs a memory with room for a step of all environments for each agent", async () => {
    await expect(trainOffPolicy(offPolicy({ memory: new ReplayBuffer({ max_size: 7 }) }))).rejects.toThrow(
      "memory: each of 2 members has room for 3 transitions, but one step of 4 environments adds 4; give a max_size of at least 8",
    );
    const memory = new ReplayBuffer({ max_size: 100 });
    memory.add({ obs: [0], action: 0, reward: 0, next_obs: [0], done: 0 });
    await expect(trainOffPolicy(offPolicy({ memory }))).rejects.toThrow(
      /holds 1 transitions with another layout of observations or actions; call clear\(\) first/,
    );
  });
});
