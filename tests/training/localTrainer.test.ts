import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  HyperparameterConfig,
  Mutations,
  RLParameter,
  TournamentSelection,
} from "../../src/evolution/index.ts";
import { ReplayBuffer } from "../../src/rl/buffers/index.ts";
import { make, makeVector, SyncVectorEnvironment } from "../../src/rl/environments/index.ts";
import { EvolvableMLP } from "../../src/rl/modules/index.ts";
import {
  GymEnvSpec,
  MutationSpec,
  PPOSpec,
  parseAlgorithm,
  ReplayBufferSpec,
  SpecError,
  TournamentSelectionSpec,
  TrainingSpec,
} from "../../src/specs/index.ts";
import { Accelerator, LocalTrainer, Trainer, type TrainerOptions } from "../../src/training/index.ts";
import { LevelEnvironment } from "./support/levelEnvironment.ts";
import { dqn, EVOLUTION, NETWORK, NO_MUTATION, ppo, statesOf, trained } from "./support/tiny.ts";

/** Options that types refuse, as callers in JavaScript write them. */
const untyped = (options: object): TrainerOptions => options as TrainerOptions;
const refusal =
  (options: object): (() => LocalTrainer) =>
  () =>
    new LocalTrainer(untyped(options));

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

describe("LocalTrainer", () => {
  it("is a Trainer that validates when it is made, and builds nothing", () => {
    const trainer = new LocalTrainer({ algorithm: "DQN", environment: "CartPole-v1" });
    expect(trainer).toBeInstanceOf(Trainer);
    const { algorithm, environment, training, mutation, selection_strategy } = trainer.manifest;
    expect(algorithm).toMatchObject({ name: "DQN", batch_size: 64, lr: 1e-4 });
    expect(environment).toMatchObject({ name: "CartPole-v1", num_envs: 32 });
    expect(training).toMatchObject({ max_steps: 1_000_000, evo_steps: 10_000, pop_size: 1, hpo: false });
    expect([mutation, selection_strategy]).toEqual([null, null]);
  });

  it("returns agents that act and evaluate", async () => {
    const run = await trained(dqn());
    const [agent] = run.population;
    expect(agent?.algo).toBe("DQN");
    expect([0, 1]).toContain(agent?.getAction([0, 0, 0, 0], { training: false }));
    expect(agent?.test("CartPole-v1", { num_envs: 2 })).toBeGreaterThan(0);
    expect(agent?.fitness).toHaveLength(4);
    const pendulum = await trained(ppo());
    expect(pendulum.population[0]?.getAction([1, 0, 0])).toHaveLength(1);
  });

  it("may train again, to the same bits", async () => {
    const trainer = new LocalTrainer(dqn(EVOLUTION));
    const first = await trained(trainer);
    expect(statesOf((await trained(trainer)).population)).toEqual(statesOf(first.population));
  });
});

describe("algorithm and environment", () => {
  it.each<[string, object, RegExp]>([
    [
      "an unknown algorithm",
      { algorithm: "DQM" },
      /^Invalid manifest: algorithm\.name: unknown algorithm "DQM"; did you mean "DQN"\?/,
    ],
    [
      "an algorithm of other builds",
      { algorithm: { name: "TD3" } },
      /"TD3" is known to the format but not yet supported by this build; available: DQN, PPO/,
    ],
    ["no algorithm", { algorithm: undefined }, /algorithm: .*missing/],
    [
      "an unknown environment",
      { environment: "CartPole-v2" },
      /environment\.name: unknown environment "CartPole-v2"; did you mean "CartPole-v1"\?/,
    ],
    ["no environment", { environment: undefined }, /environment: .*missing/],
    [
      "an unknown field",
      { algorithm: { name: "DQN", gama: 0.9 } },
      /algorithm\.gama: unknown key; did you mean "gamma"\?|algorithm\.gama: .*"gamma"/,
    ],
    ["a value out of bounds", { training: { max_steps: 0 } }, /training\.max_steps: found 0/],
    [
      "a generation longer than the run",
      { training: { max_steps: 10, evo_steps: 20 } },
      /training\.evo_steps: found 20; must be at most max_steps \(10\)/,
    ],
    ["continuous actions for DQN", { environment: "Pendulum-v1" }, /DQN/],
    [
      "a memory without room",
      { replay_buffer: { max_size: 40 }, training: { pop_size: 2 } },
      /replay_buffer\.max_size: found 40, .* at least 64 \(num_envs x pop_size\)/,
    ],
    [
      "n-step returns",
      { replay_buffer: { n_step_buffer: true } },
      /replay_buffer\.n_step_buffer: found true; .* not supported by this build/,
    ],
    [
      "prioritised replay",
      { replay_buffer: { per_buffer: true } },
      /replay_buffer\.per_buffer: only RainbowDQN/,
    ],
    [
      "multi-frequency selection",
      { ...EVOLUTION, training: { pop_size: 6 }, selection_strategy: { strategy: "multi_frequency" } },
      /selection_strategy\.strategy: found "multi_frequency".*allowed: "tournament"/,
    ],
    [
      "an entrypoint",
      { environment: { name: "CartPole-v1", entrypoint: "my:Env" } },
      /environment\.entrypoint: is known to the format and not supported by this build/,
    ],
    [
      "wrappers",
      { environment: { name: "CartPole-v1", env_wrappers: ["Flatten"] } },
      /environment\.env_wrappers: is known/,
    ],
    [
      "an environment that nobody registered",
      { environment: { name: "Mine-v0", custom: true } },
      /environment\.name: .*"Mine-v0"/,
    ],
  ])("are refused when they are %s", (_what, changes, message) => {
    const refused = refusal({ algorithm: "DQN", environment: "CartPole-v1", ...changes });
    expect(refused).toThrow(SpecError);
    expect(refused).toThrow(message);
  });

  it("come as names, specs and parsed specs alike", async () => {
    const base = dqn();
    const { environment, ...rest } = base;
    const expected = statesOf((await trained(base)).population);
    const parsed = {
      ...rest,
      algorithm: parseAlgorithm(base.algorithm),
      environment: GymEnvSpec.parse(environment),
      training: TrainingSpec.parse(base.training),
      replay_buffer: ReplayBufferSpec.parse(base.replay_buffer),
    };
    expect(statesOf((await trained(parsed)).population)).toEqual(expected);
  });

  it("run compiled in a vector environment of a registered one, to the same bits, also in workers", async () => {
    await import("../../src/workers/index.ts");
    const expected = statesOf((await trained(dqn(EVOLUTION))).population);
    const environment = makeVector("CartPole-v1", 4);
    expect(statesOf((await trained(dqn({ ...EVOLUTION, environment }))).population)).toEqual(expected);
    const accelerator = new Accelerator({ workers: 2 });
    const spread = await trained(dqn({ ...EVOLUTION, environment, accelerator }));
    expect(statesOf(spread.population)).toEqual(expected);
  });

  it("take the time limit of a vector environment that has its own", async () => {
    const environment = makeVector("CartPole-v1", 4, { max_episode_steps: 5 });
    const run = await trained(dqn({ environment }));
    for (const fitness of run.fitnesses) expect(fitness).toBeLessThanOrEqual(5);
  });

  it("take live environments, single or several side by side", async () => {
    const several = new SyncVectorEnvironment([() => make("CartPole-v1"), () => make("CartPole-v1")]);
    for (const [environment, lanes] of [
      [make("CartPole-v1"), 1],
      [several, 2],
    ] as const) {
      const trainer = new LocalTrainer(dqn({ environment, training: { max_steps: 160 } }));
      expect(trainer.manifest.environment).toMatchObject({
        name: "CartPole-v1",
        custom: true,
        num_envs: lanes,
      });
      const run = await trained(trainer);
      expect(run.population.map(({ steps }) => steps)).toEqual([160, 160]);
      expect(run.recorder.generations[0]?.members[0]?.learn_steps).toBeGreaterThan(0);
    }
  });

  it("take the number of environments from a live one, whatever a parsed spec says", async () => {
    const environment = makeVector("CartPole-v1", 4);
    const algorithm = PPOSpec.parse({ learn_step: 32, batch_size: 16 });
    expect(algorithm.num_envs).toBe(1);
    const { manifest } = new LocalTrainer({ algorithm, environment });
    expect([manifest.environment.num_envs, manifest.algorithm]).toMatchObject([4, { num_envs: 4 }]);
  });

  it("train in an environment of the caller's own", async () => {
    const environment = new LevelEnvironment(() => 3);
    const run = await trained(ppo({ ...EVOLUTION, environment }));
    expect(run.fitnesses).toEqual([3, 3]);
    expect(run.population[0]?.observation_space).toBe(environment.observation_space);
  });
});

describe("training, evolution and memory", () => {
  it("evolve with ready objects as with their specs", async () => {
    const training = { pop_size: 3 };
    const mutation = MutationSpec.parse(EVOLUTION.mutation);
    const selection_strategy = TournamentSelectionSpec.parse(EVOLUTION.selection_strategy);
    const expected = await trained(dqn({ mutation, selection_strategy, training }));
    const ready = await trained(
      dqn({
        training,
        mutation: Mutations.fromSpec(mutation),
        selection_strategy: TournamentSelection.fromSpec(selection_strategy, { population_size: 3 }),
        replay_buffer: new ReplayBuffer({ max_size: 400 }),
      }),
    );
    expect(statesOf(ready.population)).toEqual(statesOf(expected.population));
    expect(ready.recorder.warnings).toEqual(expected.recorder.warnings);
  });

  it("take the seed of a ready Mutations object", async () => {
    const ready = (rand_seed: number) =>
      Mutations.fromSpec(MutationSpec.parse(EVOLUTION.mutation), { rand_seed });
    const expected = await trained(dqn({ ...EVOLUTION, seed: 5 }));
    const run = await trained(
      dqn({
        mutation: ready(5),
        selection_strategy: new TournamentSelection({
          tournament_size: 2,
          elitism: true,
          population_size: 2,
          rand_seed: 5,
        }),
      }),
    );
    expect(statesOf(run.population)).toEqual(statesOf(expected.population));
  });

  it("refuse a selection object for another population", async () => {
    const selection_strategy = new TournamentSelection({
      tournament_size: 2,
      elitism: true,
      population_size: 4,
    });
    await expect(trained(dqn({ ...EVOLUTION, selection_strategy }))).rejects.toThrow(
      "selection_strategy.population_size: found 4, allowed 2 (the population's size)",
    );
  });

  it("fill the caller's replay buffer", async () => {
    const replay_buffer = new ReplayBuffer({ max_size: 400 });
    const run = await trained(dqn({ replay_buffer, training: { max_steps: 160 } }));
    expect(replay_buffer.size).toBe(320);
    expect(replay_buffer.rings).toEqual(run.state.replay?.rings);
    const { obs, reward } = replay_buffer.sample(64, { seed: 1 });
    expect([obs.length, Math.max(...reward)]).toEqual([256, 1]);
  });

  it("are default ones with hpo, in a population of 4", async () => {
    const { manifest } = new LocalTrainer(dqn({ hpo: true, training: { pop_size: undefined } }));
    expect(manifest.training).toMatchObject({ hpo: true, pop_size: 4 });
    const run = await trained(dqn({ hpo: true, training: { pop_size: undefined, max_steps: 320 } }));
    expect(run.fitnesses).toHaveLength(4);
    // A mutation before the first generation, and a selection before the second.
    expect(run.recorder.generations[0]?.members.some(({ mutation }) => mutation !== "None")).toBe(true);
    expect(run.population.slice(1).every(({ index }) => index >= 4)).toBe(true);
    const off = new LocalTrainer(dqn({ hpo: false, training: { hpo: true } }));
    expect(off.manifest.training.hpo).toBe(false);
  });

  it("keep a population of 1 with hpo, and warn", async () => {
    const run = await trained(dqn({ hpo: true, training: { pop_size: 1 } }));
    expect(run.fitnesses).toHaveLength(1);
    expect(run.recorder.warnings).toContain("training.pop_size is 1: there is nothing to select from");
  });

  it("mutate by default when the mutation spec is empty", async () => {
    const { manifest } = new LocalTrainer(dqn({ mutation: {} }));
    expect(manifest.mutation?.probabilities).toMatchObject({ no_mut: 0.4, arch_mut: 0.2, rl_hp_mut: 0.2 });
  });
});

describe("hyperparameters that mutate", () => {
  /** Names that mutated in any generation. */
  async function mutated(options: object): Promise<Set<string>> {
    const run = await trained(
      dqn({
        ...EVOLUTION,
        training: { pop_size: 6, max_steps: 96, evo_steps: 16, eval_steps: 5 },
        ...options,
      }),
    );
    const labels = run.recorder.generations.flatMap(({ members }) => members.map(({ mutation }) => mutation));
    // "None" where a value was at its bound.
    return new Set(labels.filter((label) => label !== "None"));
  }
  const probabilities = { ...NO_MUTATION, no_mut: 0, rl_hp_mut: 1 };
  const rl_hp_selection = { gamma: { min: 0.5, max: 0.999 } };
  const hp_config = new HyperparameterConfig({ tau: new RLParameter({ min: 0.0001, max: 0.1 }) });

  it("are those of hp_config, else of rl_hp_selection, else the algorithm's own", async () => {
    expect(await mutated({ mutation: { probabilities, rl_hp_selection }, hp_config })).toEqual(
      new Set(["tau"]),
    );
    expect(await mutated({ mutation: { probabilities, rl_hp_selection } })).toEqual(new Set(["gamma"]));
    expect(await mutated({ mutation: { probabilities } })).toEqual(
      new Set(["lr", "batch_size", "learn_step"]),
    );
  });

  it("start from hp_config's own values where it gives them", () => {
    const lr = new RLParameter({ min: 0.0001, max: 0.1, value: 0.05 });
    const { manifest } = new LocalTrainer(dqn({ hp_config: new HyperparameterConfig({ lr }) }));
    expect(manifest.algorithm).toMatchObject({ lr: 0.05, batch_size: 8 });
    const wrong = new RLParameter({ min: 0, max: 4, value: -1 });
    expect(refusal(dqn({ hp_config: new HyperparameterConfig({ lr: wrong }) }))).toThrow(
      /algorithm\.lr: found -1/,
    );
  });

  it("must be numbers of the algorithm", () => {
    const of = (name: string) => new HyperparameterConfig({ [name]: new RLParameter({ min: 0, max: 1 }) });
    expect(refusal(dqn({ hp_config: of("clip_coef") }))).toThrow(
      /hyperparameter "clip_coef": the algorithm has none/,
    );
    expect(refusal(dqn({ hp_config: of("double") }))).toThrow(/hyperparameter "double": found boolean/);
    expect(refusal({ ...dqn(), hp_config: { lr: { min: 0, max: 1 } } })).toThrow(
      "LocalTrainer: hp_config: found a mapping, allowed a HyperparameterConfig",
    );
    expect(refusal(dqn({ mutation: { rl_hp_selection: { lrr: { min: 0, max: 1 } } } }))).toThrow(
      /mutation\.rl_hp_selection\.lrr: "lrr" is no field of DQN; did you mean "lr"\?/,
    );
  });
});

describe("networks of the caller's own", () => {
  const actor = new EvolvableMLP({
    num_inputs: 4,
    num_outputs: 2,
    hidden_size: [12],
    min_mlp_nodes: 4,
    random_seed: 1,
  });

  it("are every member's first ones", async () => {
    const seen = await trained(dqn({ actor_network: actor }), { onRun: (run) => run.stop() });
    for (const { networks } of statesOf(seen.population)) {
      expect(networks.actor?.data.encoder).toBeNull();
      expect(networks.actor?.data.head.hidden_size).toEqual([12]);
      expect(Object.values(networks.actor?.tensors ?? {})).toEqual(Object.values(actor.parameters()));
    }
    const run = await trained(dqn({ ...EVOLUTION, actor_network: actor }));
    expect(run.reason).toBe("max_steps");
  });

  it("may be a critic's too", async () => {
    const critic = new EvolvableMLP({ num_inputs: 3, num_outputs: 1, hidden_size: [10], min_mlp_nodes: 4 });
    const run = await trained(ppo({ critic_network: critic, training: { max_steps: 128 } }));
    expect(run.population[0]?.state.networks.critic?.data).toMatchObject({
      encoder: null,
      head: { hidden_size: [10] },
    });
  });

  it("must fit the environment and the algorithm", () => {
    const small = new EvolvableMLP({ num_inputs: 3, num_outputs: 2, hidden_size: [32] });
    expect(refusal(dqn({ actor_network: small }))).toThrow(/^actor_network: /);
    expect(refusal(dqn({ critic_network: small }))).toThrow(
      "critic_network: DQN has no critic; leave it out",
    );
    expect(refusal({ ...dqn(), actor_network: NETWORK })).toThrow(
      "LocalTrainer: actor_network: found a mapping, allowed an EvolvableModule",
    );
    for (const name of ["actor_networks", "critic_networks"])
      expect(refusal({ ...dqn(), [name]: { agent_0: actor } })).toThrow(
        /actor_networks and critic_networks belong to multi-agent algorithms/,
      );
  });
});

describe("options", () => {
  it("that are unknown are refused, all named", async () => {
    expect(refusal({ ...dqn(), sed: 1, popsize: 2 })).toThrow(
      /^LocalTrainer: unknown option sed, popsize; allowed: algorithm, environment, .*seed, store$/,
    );
    await expect(new LocalTrainer(dqn()).train({ verbos: true } as object)).rejects.toThrow(
      /^LocalTrainer\.train: unknown option verbos; allowed: verbose, save_elite, .*onRun$/,
    );
  });

  it("that exclude each other are refused", () => {
    expect(refusal(dqn({ resume_from_checkpoint: "a", load_weights_from: "b" }))).toThrow(
      "resume_from_checkpoint and load_weights_from exclude each other: the first continues a run, the second starts a new one; give one of them",
    );
  });

  it.each<[object, string]>([
    [{ hpo: 1 }, "LocalTrainer: hpo: found 1, allowed true or false"],
    [
      { resume_from_checkpoint: 7 },
      "LocalTrainer: resume_from_checkpoint: found 7, allowed text that is not empty",
    ],
    [{ load_weights_from: "" }, 'LocalTrainer: load_weights_from: found "", allowed text that is not empty'],
    [{ accelerator: { workers: 2 } }, "LocalTrainer: accelerator: found a mapping, allowed an Accelerator"],
  ])("of the wrong kind are refused: %j", (options, message) => {
    expect(refusal({ ...dqn(), ...options })).toThrow(message);
  });

  it.each<[object, string]>([
    [{ checkpoint_steps: 0 }, "LocalTrainer.train: checkpoint_steps: found 0, allowed integers from 1"],
    [
      { checkpoint_steps: "100" },
      'LocalTrainer.train: checkpoint_steps: found "100", allowed integers from 1',
    ],
    [{ verbose: 0 }, "LocalTrainer.train: verbose: found 0, allowed true or false"],
    [{ elite_path: 3 }, "LocalTrainer.train: elite_path: found 3, allowed text that is not empty"],
    [{ wb: true }, "wb: experiment tracking is not available yet; leave it out"],
    [{ board: true }, "board: scalar logs are not available yet; leave it out"],
  ])("of train() that are wrong are refused: %j", async (options, message) => {
    await expect(new LocalTrainer(dqn()).train(options)).rejects.toThrow(message);
  });

  it("of loggers that are off are taken", async () => {
    const loggers = {
      wb: false,
      board: false,
      board_log_dir: "logs",
      tracker_api_key: "k",
      tracker_kwargs: {},
    };
    expect((await trained(dqn({ training: { max_steps: 160 } }), loggers)).reason).toBe("max_steps");
  });
});

describe("devices", () => {
  it("cpu, wasm and auto are this build's", () => {
    for (const device of ["cpu", "wasm", "auto"]) expect(new LocalTrainer(dqn({ device }))).toBeDefined();
    expect(new LocalTrainer(dqn({ accelerator: new Accelerator({ device: "wasm" }) }))).toBeDefined();
  });

  it("with a GPU are refused in plain words, and so are unknown ones", () => {
    for (const device of ["webgpu", "gpu", "cuda", "cuda:0"])
      expect(refusal(dqn({ device }))).toThrow(
        `device: found "${device}", and this build trains on the CPU with WebAssembly only; allowed: "cpu", "wasm", "auto"`,
      );
    expect(refusal(dqn({ device: "tpu" }))).toThrow('device: found "tpu"; allowed: "cpu", "wasm", "auto"');
    const accelerator = new Accelerator({ device: "webgpu" });
    expect(refusal(dqn({ accelerator }))).toThrow(/device: found "webgpu"/);
  });

  it("have workers from 1", () => {
    for (const workers of [0, -1, 1.5, Number.NaN])
      expect(() => new Accelerator({ workers })).toThrow(
        `accelerator.workers: found ${workers}, allowed integers from 1`,
      );
  });
});

describe("the deprecated name tournament", () => {
  const tournament = { tournament_size: 2, elitism: true };

  it("means selection_strategy, and is warned of once", async () => {
    const expected = statesOf((await trained(dqn(EVOLUTION))).population);
    const { selection_strategy: _, ...rest } = EVOLUTION;
    const run = await trained(dqn({ ...rest, tournament }));
    expect(statesOf(run.population)).toEqual(expected);
    new LocalTrainer(dqn({ ...rest, tournament }));
    expect(warned.filter((w) => w.includes("tournament"))).toEqual([
      "rlkit: tournament is deprecated: use selection_strategy",
    ]);
  });

  it("may stand beside an equal selection_strategy, not beside another one", () => {
    const equal = TournamentSelectionSpec.parse({ elitism: true });
    expect(new LocalTrainer(dqn({ ...EVOLUTION, selection_strategy: equal, tournament }))).toBeDefined();
    const message =
      "tournament and selection_strategy are both given and differ; give selection_strategy alone";
    expect(refusal(dqn({ ...EVOLUTION, tournament: { tournament_size: 3 } }))).toThrow(message);
    const ready = () => new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 2 });
    expect(refusal(dqn({ ...EVOLUTION, selection_strategy: ready(), tournament: ready() }))).toThrow(message);
    const one = ready();
    expect(new LocalTrainer(dqn({ ...EVOLUTION, selection_strategy: one, tournament: one }))).toBeDefined();
  });
});

describe("warnings", () => {
  const warningsOf = async (options: TrainerOptions, train: object = {}) =>
    (await trained(options, { onRun: (run) => run.stop(), ...train })).recorder.warnings;
  // Long enough for episodes of 500 steps.
  const calm = (changes: object = {}) => dqn({ training: { evo_steps: 2000, max_steps: 4000 }, ...changes });

  it("are none for a plain run", async () => {
    expect(await warningsOf(calm())).toEqual([]);
    expect(warned).toEqual([]);
  });

  it("tell of paths that nothing is written to", async () => {
    expect(await warningsOf(calm(), { elite_path: "e" })).toEqual([
      "elite_path is given without save_elite: the elite is not saved",
    ]);
    expect(await warningsOf(calm(), { checkpoint_path: "c" })).toEqual([
      "checkpoint_path is given without checkpoint_steps: no checkpoints are written",
    ]);
    const training = { evo_steps: 2000, max_steps: 4000, checkpoint_path: "c" };
    expect(await warningsOf(dqn({ training }))).toEqual([
      "training.checkpoint_path has no effect without checkpoint_steps",
    ]);
    expect(await warningsOf(dqn({ training }), { checkpoint_steps: 9000 })).toEqual([]);
  });

  it("tell of half an evolution, of settings without effect, and of a buffer that was not asked for", async () => {
    expect(await warningsOf(calm({ mutation: EVOLUTION.mutation }))).toEqual([
      "selection_strategy is absent: agents evolve only with both mutation and selection_strategy",
    ]);
    const ready = Mutations.fromSpec(MutationSpec.parse({}));
    expect(await warningsOf(calm({ mutation: ready }))).toEqual([
      "selection_strategy is absent: agents evolve only with both mutation and selection_strategy",
    ]);
    expect(await warningsOf(calm({ replay_buffer: null }))).toEqual([
      "replay_buffer is absent: the population gets one of 100000 transitions",
    ]);
    const training = { evo_steps: 2000, max_steps: 4000, max_wall_seconds: 5 };
    expect(await warningsOf(dqn({ training }))).toEqual([
      "training.max_wall_seconds has no effect: DQN trains no language model",
    ]);
    expect(
      await warningsOf(dqn({ training: { evo_steps: 2000, max_steps: 4000, learning_delay: 400 } })),
    ).toEqual([
      "training.learning_delay is 400: the replay memory holds 400 transitions, so agents never learn",
    ]);
    expect(await warningsOf(calm({ algorithm: { batch_size: 500 } }))).toEqual([
      "algorithm.batch_size is 500: the replay memory holds 400 transitions, so agents never learn",
    ]);
    const on = ppo({
      replay_buffer: { max_size: 100 },
      training: { evo_steps: 1000, max_steps: 1000, eps_start: 1 },
    });
    expect(await warningsOf(on)).toEqual([
      "replay_buffer has no effect: PPO keeps no replay buffer",
      "training.eps_start has no effect: PPO is not epsilon-greedy",
    ]);
  });

  it("tell of generations that are shorter than an episode", async () => {
    const message =
      "training.evo_steps 160 over 4 environments is 40 steps each, less than an episode of up to 500: environments reset at each generation's start, so long episodes are cut short in training";
    expect(await warningsOf(dqn())).toEqual([message]);
    const environment = new LevelEnvironment(() => 1, { length: 200 });
    expect(await warningsOf(dqn({ environment }))).toEqual([
      message.replace("4 environments is 40", "1 environments is 160").replace("500", "200"),
    ]);
  });

  it("go to the console when nobody listens", async () => {
    await new LocalTrainer(dqn()).train({ verbose: false, onRun: (run) => run.stop() });
    expect(warned).toHaveLength(1);
    expect(warned[0]).toMatch(/^rlkit: training\.evo_steps 160/);
  });
});

describe("verbose", () => {
  it("prints a table for each generation unless it is turned off", async () => {
    const written: string[] = [];
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const printed: string[] = [];
    vi.spyOn(console, "log").mockImplementation((...text) => {
      printed.push(text.join(" "));
    });
    const quiet = dqn({ training: { max_steps: 320 } });
    await new LocalTrainer(quiet).train({ verbose: false });
    expect([...written, ...printed]).toEqual([]);
    await new LocalTrainer(quiet).train();
    const all = [...written, ...printed].join("");
    expect(all.match(/Global Steps: \d+/g)).toEqual(["Global Steps: 320", "Global Steps: 640"]);
    expect(all).toMatch(/fitness .* learn_step .*Training finished: 640 steps/s);
  });
});
