// @own-process: warnings are given once in a process.
import { describe, expect, it } from "vitest";
import { DQN, ReplayBuffer } from "../../src/agents/classes.ts";
import { make, makeVector } from "../../src/rl/environments.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import {
  Accelerator,
  decodeAgent,
  type OffPolicyOptions,
  trainOffPolicy,
  trainOnPolicy,
} from "../../src/training/index.ts";
import { consoleWarnings } from "./support/consoleWarnings.ts";
import {
  dqnPopulation,
  evolution,
  offPolicy,
  onPolicy,
  ppoPopulation,
  tournament,
} from "./support/functions.ts";
import { dqn, EVOLUTION, Recorder, statesOf, trained } from "./support/tiny.ts";

const warned = consoleWarnings();

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
    // Ten thousand steps a generation, in rollouts of 64.
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
      /^trainOffPolicy: unknown option max_step \(did you mean "max_steps"\?\); allowed: env, env_name, algo, pop, .*n_step_memory$/,
    ],
    [{ env: null }, "trainOffPolicy: env is missing; allowed an environment"],
    [{ env: "CartPole-v1" }, 'trainOffPolicy: env: found "CartPole-v1", allowed an environment'],
    [{ env_name: 5 }, "trainOffPolicy: env_name: found 5, allowed text that is not empty"],
    [{ algo: 5 }, "trainOffPolicy: algo: found 5, allowed text that is not empty"],
    [{ algo: "DQM" }, /^Invalid configuration: algorithm: unknown algorithm "DQM"; did you mean "DQN"\?/],
    [{ algo: "PPO" }, "trainOffPolicy: algo: found PPO, which trainOnPolicy trains"],
    [{ algo: "CQN" }, "trainOffPolicy: algo: found CQN, which trainOffline trains"],
    [{ pop: [] }, "pop: found an empty population, allowed at least one agent"],
    [{ pop: undefined }, "trainOffPolicy: pop is missing; allowed a list of agents"],
    [{ pop: [{}] }, "pop[0]: found object, allowed a DQN agent"],
    [
      { memory: undefined },
      "trainOffPolicy: memory is missing; allowed a ReplayBuffer, PrioritizedReplayBuffer or MultiStepReplayBuffer",
    ],
    [
      { memory: { max_size: 10 } },
      "trainOffPolicy: memory: found a mapping, allowed a ReplayBuffer, PrioritizedReplayBuffer or MultiStepReplayBuffer",
    ],
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
      "trainOffPolicy: n_step_memory: found a mapping, allowed a MultiStepReplayBuffer",
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
    [
      { wb: true, tracker_kwargs: { proyect: "x" } },
      'tracker_kwargs.proyect: unknown; did you mean "project"?',
    ],
    [{ csv: true }, "csv_log_dir: found nothing, allowed the path of a file, since csv is true"],
    [{ accelerator: {} }, "trainOffPolicy: accelerator: found a mapping, allowed an Accelerator"],
    [{ accelerator: new Accelerator({ device: "tpu" }) }, /^device: found "tpu"/],
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
    [{ algo: "CQN" }, "trainOnPolicy: algo: found CQN, which trainOffline trains"],
    [{ algo: "Recurrent PPO", pop: [] }, "pop: found an empty population, allowed at least one agent"],
    [{ pop: dqnPopulation(make("CartPole-v1")) }, "pop[0]: found a DQN agent, allowed a PPO agent"],
    [{ collect_rollouts_fn: "mine" }, 'trainOnPolicy: collect_rollouts_fn: found "mine", allowed a function'],
    [
      { env: makeVector("CartPole-v1", 4), pop: ppoPopulation(makeVector("Pendulum-v1", 4)) },
      /^pop\[0\]\.observation_space: found 3 finite numbers .*, and the environment has 4 finite numbers/,
    ],
  ])("is checked on policy too: %#", async (wrong, message) => {
    await expect(trainOnPolicy({ ...onPolicy(), ...wrong })).rejects.toThrow(message);
  });

  it("wants agents that mutate the same hyperparameters", async () => {
    const [first, second] = dqnPopulation(make("CartPole-v1")) as [DQN, DQN];
    const { observation_space, action_space, state } = first;
    const fixed = new DQN({ observation_space, action_space, state, hp_config: null });
    await expect(trainOffPolicy(offPolicy({ pop: [fixed, second] }))).rejects.toThrow(
      "pop[1].hp_config: found batch_size, learn_step, lr, and pop[0].hp_config has none; a run mutates the same hyperparameters of all agents: give all the same hp_config",
    );
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
    expect(await warningsOf({ evo_steps: 160 })).toEqual([]);
    expect(await warningsOf({ evo_steps: 160, reset_each_generation: true })).toEqual([
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
    // @ts-expect-error -- The types allow one of them.
    expect(await warningsOf({ mutation, tournament: one, selection_strategy: one })).toEqual([]);
    // @ts-expect-error -- The types allow one of them.
    expect(await warningsOf({ mutation, tournament: tournament(2, 1), selection_strategy: one })).toEqual([
      "tournament and selection_strategy are both given: tournament is ignored",
    ]);
  });

  it("the strategy under either name selects, and selection_strategy wins", async () => {
    const run = async (changes: Partial<OffPolicyOptions>) =>
      statesOf((await trainOffPolicy(offPolicy({ mutation: evolution().mutation, ...changes })))[0]);
    const expected = await run({ selection_strategy: tournament() });
    expect(await run({ tournament: tournament() })).toEqual(expected);
    // @ts-expect-error -- The types allow one of them.
    expect(await run({ tournament: tournament(5), selection_strategy: tournament() })).toEqual(expected);
  });
});
