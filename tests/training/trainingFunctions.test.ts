import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Mutations } from "../../src/evolution/index.ts";
import { DQN, PPO } from "../../src/rl/agents/index.ts";
import { ReplayBuffer } from "../../src/rl/buffers/index.ts";
import { make, makeVector, SyncVectorEnvironment } from "../../src/rl/environments/index.ts";
import { type CollectOptions, collectRollouts } from "../../src/rl/runtime/hostRollout.ts";
import { MutationSpec } from "../../src/specs/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import {
  Accelerator,
  decodeAgent,
  type OffPolicyOptions,
  type OnPolicyOptions,
  trainOffPolicy,
  trainOnPolicy,
} from "../../src/training/index.ts";
import { probe } from "../rl/support/probes.ts";
import { dqnPopulation, offPolicy, onPolicy, ppoPopulation, tournament } from "./support/functions.ts";
import { LevelEnvironment } from "./support/levelEnvironment.ts";
import { dqn, EVOLUTION, ppo, Recorder, statesOf, trained } from "./support/tiny.ts";
// Brings in the pool of workers.
import "../../src/workers/index.ts";

const evolution = (population_size = 2) => ({
  selection_strategy: tournament(population_size),
  mutation: Mutations.fromSpec(MutationSpec.parse(EVOLUTION.mutation)),
});

const warned: string[] = [];
beforeEach(() => {
  warned.length = 0;
  vi.spyOn(console, "warn").mockImplementation((message) => {
    warned.push(String(message));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

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

  it("needs a memory with room for a step of all environments for each agent", async () => {
    await expect(trainOffPolicy(offPolicy({ memory: new ReplayBuffer({ max_size: 7 }) }))).rejects.toThrow(
      "memory: each of 2 members has room for 3 transitions, and a step of 4 environments gives that many at once; allowed is a max_size of at least 8",
    );
    const memory = new ReplayBuffer({ max_size: 100 });
    memory.add({ obs: [0], action: 0, reward: 0, next_obs: [0], done: 0 });
    await expect(trainOffPolicy(offPolicy({ memory }))).rejects.toThrow(
      /holds 1 transitions of other observations or actions; call clear\(\) first/,
    );
  });
});

describe("trainOnPolicy", () => {
  it("ends with the bits of LocalTrainer", async () => {
    const expected = await trained(ppo(EVOLUTION));
    const pop = ppoPopulation(makeVector("Pendulum-v1", 4), 2, { num_envs: 4 });
    const [population, fitnesses] = await trainOnPolicy(onPolicy({ ...evolution(), pop }));
    expect(statesOf(population)).toEqual(statesOf(expected.population));
    expect(fitnesses).toEqual(expected.fitnesses);
    expect(population[0]).toBeInstanceOf(PPO);
    expect(population[0]?.getAction([1, 0, 0])).toHaveLength(1);
  });

  it("collects with collect_rollouts_fn in place of the default", async () => {
    const calls: CollectOptions[] = [];
    const collect_rollouts_fn: NonNullable<OnPolicyOptions["collect_rollouts_fn"]> = (options) => {
      calls.push(options);
      return collectRollouts(options);
    };
    const env = new SyncVectorEnvironment([() => make("Pendulum-v1"), () => make("Pendulum-v1")]);
    const [expected] = await trainOnPolicy(onPolicy({ env }));
    const [population] = await trainOnPolicy(onPolicy({ env, collect_rollouts_fn }));
    expect(statesOf(population)).toEqual(statesOf(expected));
    // Three generations of two members with two roll-outs each.
    expect(calls).toHaveLength(12);
    expect(calls[0]).toMatchObject({ n_steps: 32, env });

    const compiled = makeVector("Pendulum-v1", 4);
    await trainOnPolicy(onPolicy({ env: compiled, collect_rollouts_fn }));
    expect(calls.length).toBe(24);
  });

  it("refuses a collector that fills less than a roll-out", async () => {
    const collect_rollouts_fn: NonNullable<OnPolicyOptions["collect_rollouts_fn"]> = (options) =>
      collectRollouts({ ...options, n_steps: 3 });
    await expect(trainOnPolicy(onPolicy({ collect_rollouts_fn }))).rejects.toThrow(
      "collect_rollouts_fn: filled 3 steps of agent.rollout_buffer, allowed n_steps (16)",
    );
  });

  it("learns in an environment of the caller's own", async () => {
    const env = probe("fixedPolicy");
    const pop = ppoPopulation(env, 2, { lr: 0.01, learn_step: 32, batch_size: 16, update_epochs: 4 });
    const [population, fitnesses] = await trainOnPolicy(
      onPolicy({ env, env_name: "probe", pop, max_steps: 512, evo_steps: 256, eval_steps: null }),
    );
    expect(fitnesses).toEqual([1, 1]);
    expect(population[0]?.getAction(0, { training: false })).toBe(1);
  });
});

describe("what both functions share", () => {
  it("is every parameter of the interface", async () => {
    const store = memoryFileStore();
    const recorder = new Recorder();
    const [, fitnesses] = await trainOffPolicy(
      offPolicy({
        ...evolution(),
        env_name: "Poles",
        init_hp: { BATCH_SIZE: 8 },
        mut_p: { NO_MUT: 0.1 },
        learning_delay: 8,
        eps_start: 1,
        eps_end: 0.1,
        n_step_memory: null,
        eval_steps: 50,
        eval_loop: 2,
        target: null,
        tournament: null,
        checkpoint: 320,
        checkpoint_path: null,
        overwrite_checkpoints: false,
        save_elite: true,
        elite_path: null,
        wb: false,
        board: false,
        board_log_dir: null,
        tracker_api_key: null,
        tracker_kwargs: null,
        accelerator: null,
        seed: 3,
        observer: recorder,
        store,
      }),
    );
    expect(fitnesses).toHaveLength(2);
    expect((await store.list("")).map(({ name }) => name)).toEqual([
      "Poles-EvoHPO-DQN_640",
      "Poles-elite_DQN.safetensors",
    ]);
    const path = "Poles-elite_DQN.safetensors";
    expect(decodeAgent(await store.read(path), path)).toMatchObject({
      environment: "CartPole-v1",
      num_envs: 4,
    });
  });

  it("has the interface's defaults", async () => {
    const steps: number[] = [];
    const env = makeVector("CartPole-v1", 4);
    const pop = ppoPopulation(env, 1);
    await trainOnPolicy({
      env,
      env_name: "CartPole-v1",
      algo: "PPO",
      pop,
      verbose: false,
      onRun: (run) => {
        steps.push(run.state.members.length);
        run.stop();
      },
    });
    expect(steps).toEqual([1]);
    expect(warned).toEqual([]);
    const recorder = new Recorder();
    const {
      evo_steps: _evo,
      max_steps: _max,
      ...rest
    } = onPolicy({ pop, env, observer: recorder, eval_steps: 1 });
    await trainOnPolicy({ ...rest, target: 0.5 });
    // Ten thousand steps a generation, in roll-outs of 64.
    expect(recorder.generations.map(({ global_step }) => global_step)).toEqual([10_048]);
  });

  it("stops at a target, and can be stopped", async () => {
    const recorder = new Recorder();
    await trainOffPolicy(offPolicy({ target: 1, max_steps: 100_000, observer: recorder }));
    expect(recorder.of("end")).toMatchObject([{ reason: "target", global_step: 320 }]);
    const [population] = await trainOffPolicy(offPolicy({ onRun: (run) => run.stop() }));
    expect(population.map(({ steps }) => steps)).toEqual([0, 0]);
  });

  it("resumes nothing by itself, but its checkpoints have all of a run", async () => {
    const store = memoryFileStore();
    const [population] = await trainOffPolicy(
      offPolicy({ ...evolution(), store, checkpoint: 480, checkpoint_path: "c" }),
    );
    const resumed = await trained(
      dqn({ ...EVOLUTION, store, resume_from_checkpoint: "c_960", training: { max_steps: 800 } }),
    );
    expect(resumed.recorder.warnings.filter((w) => w.includes("checkpoint"))).toEqual([]);
    expect(statesOf(resumed.population)).toEqual(
      statesOf((await trained(dqn({ ...EVOLUTION, training: { max_steps: 800 } }))).population),
    );
    expect(population[0]?.steps).toBe(480);
  });

  it.each<[object, string | RegExp]>([
    [
      { max_step: 5 },
      /^trainOffPolicy: unknown option max_step; allowed: env, env_name, algo, pop, .*n_step_memory$/,
    ],
    [{ env: null }, "trainOffPolicy: env is missing; allowed an environment"],
    [{ env: "CartPole-v1" }, 'trainOffPolicy: env: found "CartPole-v1", allowed an environment'],
    [{ env_name: 5 }, "trainOffPolicy: env_name: found 5, allowed text that is not empty"],
    [{ algo: 5 }, "trainOffPolicy: algo: found 5, allowed text that is not empty"],
    [{ algo: "DQM" }, /^Invalid configuration: algorithm: unknown algorithm "DQM"; did you mean "DQN"\?/],
    [{ algo: "PPO" }, "trainOffPolicy: algo: found PPO, which trainOnPolicy trains"],
    [{ pop: [] }, "pop: found an empty population, allowed at least one agent"],
    [{ pop: undefined }, "trainOffPolicy: pop is missing; allowed a list of agents"],
    [{ pop: [{}] }, "pop[0]: found object, allowed a DQN agent"],
    [{ memory: undefined }, "trainOffPolicy: memory is missing; allowed a ReplayBuffer"],
    [{ memory: { max_size: 10 } }, "trainOffPolicy: memory: found a mapping, allowed a ReplayBuffer"],
    [{ max_steps: 0 }, "trainOffPolicy: max_steps: found 0, allowed integers from 1"],
    [{ max_steps: 1.5 }, "trainOffPolicy: max_steps: found 1.5, allowed integers from 1"],
    [{ evo_steps: "10" }, 'trainOffPolicy: evo_steps: found "10", allowed integers from 1'],
    [{ eval_steps: -1 }, "trainOffPolicy: eval_steps: found -1, allowed integers from 1"],
    [{ eval_loop: 0 }, "trainOffPolicy: eval_loop: found 0, allowed integers from 1"],
    [{ target: "475" }, 'trainOffPolicy: target: found "475", allowed finite numbers'],
    [{ target: Number.NaN }, "trainOffPolicy: target: found NaN, allowed finite numbers"],
    [{ learning_delay: -1 }, "trainOffPolicy: learning_delay: found -1, allowed integers from 0"],
    [{ eps_start: 1.1 }, "trainOffPolicy: eps_start: found 1.1, allowed 0 to 1"],
    [{ eps_end: -0.1 }, "trainOffPolicy: eps_end: found -0.1, allowed 0 to 1"],
    [{ eps_decay: "0.9" }, 'trainOffPolicy: eps_decay: found "0.9", allowed 0 to 1'],
    [{ eps_start: 0.1, eps_end: 0.2 }, "trainOffPolicy: eps_end: found 0.2, allowed at most eps_start (0.1)"],
    [
      { n_step_memory: {} },
      "trainOffPolicy: n_step_memory: found a mapping, allowed nothing: n-step replay is not available in this build",
    ],
    [
      { selection_strategy: { tournament_size: 2 } },
      /^trainOffPolicy: selection_strategy: found a mapping, allowed a selection object/,
    ],
    [{ tournament: 5 }, /^trainOffPolicy: tournament: found 5, allowed a selection object/],
    [
      { mutation: { probabilities: {} } },
      "trainOffPolicy: mutation: found a mapping, allowed a Mutations object",
    ],
    [{ checkpoint: 0 }, "trainOffPolicy: checkpoint: found 0, allowed integers from 1"],
    [{ checkpoint_path: 1 }, "trainOffPolicy: checkpoint_path: found 1, allowed text that is not empty"],
    [
      { overwrite_checkpoints: "yes" },
      'trainOffPolicy: overwrite_checkpoints: found "yes", allowed true or false',
    ],
    [{ verbose: 1 }, "trainOffPolicy: verbose: found 1, allowed true or false"],
    [{ wb: true }, "wb: experiment tracking is not available yet; leave it out"],
    [{ board: true }, "board: scalar logs are not available yet; leave it out"],
    [{ accelerator: {} }, "trainOffPolicy: accelerator: found a mapping, allowed an Accelerator"],
    [{ accelerator: new Accelerator({ device: "cuda" }) }, /^device: found "cuda"/],
    [{ seed: -1 }, /^seed: found -1, allowed integers from 0/],
    [{ onRun: 5 }, "trainOffPolicy: onRun: found 5, allowed a function"],
  ])("is checked: %j", async (wrong, message) => {
    await expect(trainOffPolicy({ ...offPolicy(), ...wrong })).rejects.toThrow(message);
  });

  it.each<[object, string | RegExp]>([
    [
      { memory: new ReplayBuffer({ max_size: 5 }) },
      /^trainOnPolicy: unknown option memory; allowed: .*collect_rollouts_fn$/,
    ],
    [{ algo: "DQN" }, "trainOnPolicy: algo: found DQN, which trainOffPolicy trains"],
    [{ pop: dqnPopulation(make("CartPole-v1")) }, "pop[0]: found a DQN agent, allowed a PPO agent"],
    [{ collect_rollouts_fn: "mine" }, 'trainOnPolicy: collect_rollouts_fn: found "mine", allowed a function'],
    [
      { env: makeVector("CartPole-v1", 4), pop: ppoPopulation(makeVector("Pendulum-v1", 4)) },
      /^pop\[0\]\.observation_space: found 3 finite numbers .*, and the environment has 4 finite numbers/,
    ],
  ])("is checked on policy too: %#", async (wrong, message) => {
    await expect(trainOnPolicy({ ...onPolicy(), ...wrong })).rejects.toThrow(message);
  });

  it("refuses a selection object for another population", async () => {
    await expect(
      trainOffPolicy(offPolicy({ ...evolution(), selection_strategy: tournament(5) })),
    ).rejects.toThrow("selection_strategy.population_size: found 5, allowed 2 (the population's size)");
  });

  it("changes no memory when an option is wrong", async () => {
    const memory = new ReplayBuffer({ max_size: 100 });
    await expect(trainOffPolicy({ ...offPolicy({ memory }), eval_loop: 0 })).rejects.toThrow("eval_loop");
    expect(memory.population).toBe(1);
  });
});

describe("warnings of training functions", () => {
  const warningsOf = async (changes: Partial<OffPolicyOptions>): Promise<string[]> => {
    const recorder = new Recorder();
    const calm = { max_steps: 4000, evo_steps: 2000, observer: recorder };
    await trainOffPolicy(offPolicy({ ...calm, onRun: (run) => run.stop(), ...changes }));
    return recorder.warnings;
  };

  it("are none for a plain run", async () => {
    expect(await warningsOf(evolution())).toEqual([]);
  });

  it("tell of paths without a switch, half an evolution, and short generations", async () => {
    expect(await warningsOf({ elite_path: "e" })).toEqual([
      "elite_path is given without save_elite: the elite is not saved",
    ]);
    expect(await warningsOf({ checkpoint_path: "c" })).toEqual([
      "checkpoint_path is given without checkpoint: no checkpoints are written",
    ]);
    expect(await warningsOf({ mutation: evolution().mutation })).toEqual([
      "selection_strategy is absent: agents evolve only with both mutation and selection_strategy",
    ]);
    expect(await warningsOf({ selection_strategy: tournament() })).toEqual([
      "mutation is absent: agents evolve only with both mutation and selection_strategy",
    ]);
    expect(await warningsOf({ evo_steps: 160 })).toEqual([
      expect.stringMatching(
        /^evo_steps 160 over 4 environments is 40 steps each, less than an episode of up to 500/,
      ),
    ]);
  });

  it("tell that tournament is deprecated, and ignored beside another selection_strategy", async () => {
    const { mutation } = evolution();
    const one = tournament();
    expect(await warningsOf({ mutation, tournament: one })).toEqual([]);
    expect(warned).toEqual(["rlkit: tournament is deprecated: use selection_strategy"]);
    expect(await warningsOf({ mutation, tournament: one, selection_strategy: one })).toEqual([]);
    expect(await warningsOf({ mutation, tournament: tournament(2, 1), selection_strategy: one })).toEqual([
      "tournament and selection_strategy are both given: tournament is ignored",
    ]);
  });

  it("the strategy under either name selects, and selection_strategy wins", async () => {
    const run = async (changes: Partial<OffPolicyOptions>) =>
      statesOf((await trainOffPolicy(offPolicy({ mutation: evolution().mutation, ...changes })))[0]);
    const expected = await run({ selection_strategy: tournament() });
    expect(await run({ tournament: tournament() })).toEqual(expected);
    expect(await run({ tournament: tournament(5), selection_strategy: tournament() })).toEqual(expected);
  });
});
