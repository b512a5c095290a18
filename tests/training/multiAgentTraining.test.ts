import { describe, expect, it } from "vitest";
import {
  createPopulation,
  LocalTrainer,
  MADDPG,
  MATD3,
  MultiStepReplayBuffer,
  Mutations,
  make,
  makeVector,
  PrioritizedReplayBuffer,
  ReplayBuffer,
  SyncVectorEnvironment,
  TournamentSelection,
  trainMultiAgentOffPolicy,
  trainMultiAgentOnPolicy,
  trainOffPolicy,
  trainOnPolicy,
} from "../../src/index.ts";
import { Scouts } from "../rl/support/relay.ts";

const WORLD = "simple_speaker_listener_v4";
const NETWORK = { latent_dim: 8, encoder_config: { hidden_size: [8] }, head_config: { hidden_size: [8] } };
const QUIET = { verbose: false, observer: { on: () => undefined } } as const;

const spacesOf = (env: { observation_spaces: object; action_spaces: object }) =>
  ({ observation_space: env.observation_spaces, action_space: env.action_spaces }) as Pick<
    Parameters<typeof createPopulation>[0],
    "observation_space" | "action_space"
  >;
const worldSpaces = spacesOf(make(WORLD));

const FIELDS = { batch_size: 8, learn_step: 8 };

const maddpg = (spaces = worldSpaces, population_size = 2) =>
  createPopulation({
    algorithm: { name: "MADDPG", ...FIELDS },
    ...spaces,
    population_size,
    net_config: NETWORK,
  });

const onPolicy = (spaces = worldSpaces, population_size = 2) =>
  createPopulation({
    algorithm: { name: "IPPO", batch_size: 16, learn_step: 64, update_epochs: 1 },
    ...spaces,
    population_size,
    net_config: NETWORK,
  });

const offOptions = (change: object = {}) => ({
  env: makeVector(WORLD, 4),
  env_name: WORLD,
  algo: "MADDPG",
  pop: maddpg(),
  memory: new ReplayBuffer({ max_size: 400 }),
  max_steps: 64,
  evo_steps: 32,
  ...QUIET,
  ...change,
});

describe("trainMultiAgentOffPolicy", () => {
  it("gives the population, and its fitnesses by agent where they are not summed", async () => {
    const [population, fitnesses] = await trainMultiAgentOffPolicy(offOptions());
    const [others, scores] = await trainMultiAgentOffPolicy({ ...offOptions(), sum_scores: false });
    expect(population.map((agent) => [agent instanceof MADDPG, agent.steps])).toEqual([
      [true, 64],
      [true, 64],
    ]);
    expect(scores.map((record) => Object.keys(record))).toEqual([
      ["speaker_0", "listener_0"],
      ["speaker_0", "listener_0"],
    ]);
    scores.forEach((record, i) => {
      const sum = Object.values(record).reduce((a, b) => a + b, 0);
      expect(fitnesses[i]).toBe(sum);
      // Members are ranked by a number either way.
      expect(others[i]?.fitness.at(-1)).toBe(sum / 2);
      expect(others[i]?.agent_fitness).toEqual(record);
      expect(population[i]?.agent_fitness).toEqual(record);
    });
  });

  it("evolves its members, with the same bits from the same seed", async () => {
    const run = () =>
      trainMultiAgentOffPolicy(
        offOptions({
          algo: "MATD3",
          pop: createPopulation({
            algorithm: { name: "MATD3", ...FIELDS },
            ...worldSpaces,
            population_size: 3,
            net_config: NETWORK,
          }),
          max_steps: 128,
          selection_strategy: new TournamentSelection({
            tournament_size: 2,
            elitism: true,
            population_size: 3,
            rand_seed: 1,
          }),
          mutation: new Mutations({
            no_mutation: 0.2,
            architecture: 0.4,
            new_layer_prob: 0.2,
            parameters: 0.4,
            activation: 0,
            rl_hp: 0,
            rand_seed: 1,
          }),
        }),
      );
    const [[population], [again]] = [await run(), await run()];
    expect(population.every((agent) => agent instanceof MATD3)).toBe(true);
    expect(population.some(({ mut }) => mut !== "None")).toBe(true);
    expect(again.map(({ state }) => state)).toEqual(population.map(({ state }) => state));
  });

  it("stores what its members did in the memory that it was given, and goes on from it", async () => {
    const options = offOptions();
    await trainMultiAgentOffPolicy(options);
    expect([options.memory.size, options.memory.population]).toEqual([128, 2]);
    const { reward, done, obs } = options.memory.sample(8, { seed: 1 });
    expect([reward.length, done.length, obs.length]).toEqual([16, 16, 8 * 14]);
    await trainMultiAgentOffPolicy({ ...options, pop: maddpg() });
    expect(options.memory.size).toBe(256);
  });

  it("takes one step of all environments as a generation where they are more than evo_steps", async () => {
    const generations: number[] = [];
    const { evo_steps: _left, ...options } = offOptions({ env: makeVector(WORLD, 32) });
    const observer = {
      on: (event: { readonly event: string }) => void (event.event === "generation" && generations.push(1)),
    };
    const [population] = await trainMultiAgentOffPolicy({ ...options, observer });
    expect([generations.length, ...population.map(({ steps }) => steps)]).toEqual([2, 64, 64]);
  });

  it("ends after 50,000 steps of a member unless told otherwise", async () => {
    const pop = maddpg();
    for (const agent of pop) agent.steps = 50_000 - 25;
    const {
      max_steps: _left,
      evo_steps: _other,
      ...options
    } = offOptions({ env: makeVector(WORLD, 1), pop });
    const [population] = await trainMultiAgentOffPolicy(options);
    expect(population.map(({ steps }) => steps)).toEqual([50_000, 50_000]);
  });

  it("trains in an environment of the caller's own, whose memory keeps what was legal", async () => {
    const scout = new Scouts();
    const memory = new ReplayBuffer({ max_size: 400 });
    const pop = maddpg(spacesOf(scout));
    const [population, fitnesses] = await trainMultiAgentOffPolicy({
      ...offOptions({ pop, memory, env: scout, env_name: "scouts" }),
      sum_scores: false,
    });
    expect(scout.illegal).toBe(0);
    expect(fitnesses.map(({ carrier_0 }) => carrier_0)).toEqual([5, 5]);
    expect(memory.sample(4, { seed: 1 }).obs.length).toBe(4 * (3 + 5));
    const [first] = population;
    expect(first?.learn(memory.sample(4, { seed: 1 })).actor_loss).toBeTypeOf("number");
  });
});

describe("trainMultiAgentOnPolicy", () => {
  const options = (change: object = {}) => ({
    env: makeVector(WORLD, 4),
    env_name: WORLD,
    algo: "IPPO",
    pop: onPolicy(),
    max_steps: 256,
    ...QUIET,
    ...change,
  });

  it("counts the steps of all its members together, in whole rollouts", async () => {
    const [population, fitnesses] = await trainMultiAgentOnPolicy(options());
    expect(population.map(({ steps }) => steps)).toEqual([128, 128]);
    expect(fitnesses.every(Number.isFinite)).toBe(true);
    const [, scores] = await trainMultiAgentOnPolicy({ ...options(), sum_scores: false });
    expect(scores.map(({ speaker_0 = 0, listener_0 = 0 }) => speaker_0 + listener_0)).toEqual(fitnesses);
  });

  it("trains in an environment of the caller's own, single and in lanes", async () => {
    const scouts = [new Scouts(), new Scouts()];
    const own = { env_name: "scouts", pop: onPolicy(spacesOf(new Scouts())) };
    const lanes = new SyncVectorEnvironment(scouts.map((scout) => () => scout));
    const [population] = await trainMultiAgentOnPolicy(options({ ...own, env: lanes }));
    expect(population.map(({ steps }) => steps)).toEqual([128, 128]);
    const [, scores] = await trainMultiAgentOnPolicy({
      ...options({ ...own, env: scouts[0] }),
      sum_scores: false,
    });
    expect(scores.map(({ carrier_0 }) => carrier_0)).toEqual([5, 5]);
    expect(scouts.map(({ illegal }) => illegal)).toEqual([0, 0]);
  });
});

describe("what does not fit", () => {
  const cartPole = makeVector("CartPole-v1", 2);
  const spaces = {
    observation_space: cartPole.single_observation_space,
    action_space: cartPole.single_action_space,
  };
  const dqn = createPopulation({ algorithm: "DQN", ...spaces, population_size: 1 });
  const ppo = createPopulation({ algorithm: "PPO", ...spaces, population_size: 1 });

  it("is an environment of one agent", async () => {
    await expect(trainMultiAgentOffPolicy(offOptions({ env: cartPole }))).rejects.toThrow(
      "trainMultiAgentOffPolicy: env: found an environment of one agent, and MADDPG plays several; trainOffPolicy trains there",
    );
  });

  it("is an environment of several agents for an algorithm of one", async () => {
    const env = makeVector(WORLD, 2);
    const memory = new ReplayBuffer({ max_size: 100 });
    const options = { env, env_name: WORLD, ...QUIET };
    await expect(trainOffPolicy({ ...options, algo: "DQN", pop: dqn, memory })).rejects.toThrow(
      "trainOffPolicy: env: found an environment of several agents (speaker_0, listener_0), and DQN plays one; trainMultiAgentOffPolicy trains there",
    );
    await expect(trainOnPolicy({ ...options, algo: "PPO", pop: ppo })).rejects.toThrow(
      "trainMultiAgentOnPolicy trains there",
    );
  });

  it("is an algorithm of another training function", async () => {
    const memory = new ReplayBuffer({ max_size: 100 });
    const found = trainOffPolicy({
      env: cartPole,
      env_name: "c",
      algo: "MADDPG",
      pop: dqn,
      memory,
    });
    await expect(found).rejects.toThrow(
      "trainOffPolicy: algo: found MADDPG, which trainMultiAgentOffPolicy trains",
    );
    await expect(trainMultiAgentOffPolicy(offOptions({ algo: "IPPO" }))).rejects.toThrow(
      "which trainMultiAgentOnPolicy trains",
    );
    await expect(trainMultiAgentOffPolicy(offOptions({ algo: "DQN" }))).rejects.toThrow(
      "which trainOffPolicy trains",
    );
    await expect(trainMultiAgentOffPolicy(offOptions({ pop: dqn }))).rejects.toThrow(
      "pop[0]: found a DQN agent, allowed a MADDPG agent",
    );
  });

  it("is a population of other agents", async () => {
    const pop = maddpg(spacesOf(new Scouts()));
    await expect(trainMultiAgentOffPolicy(offOptions({ pop }))).rejects.toThrow(
      "pop[0].observation_space: found",
    );
  });

  it("is a memory that gives other transitions, or holds those of other agents", async () => {
    for (const memory of [
      new MultiStepReplayBuffer({ max_size: 100 }),
      new PrioritizedReplayBuffer({ max_size: 100 }),
    ])
      await expect(trainMultiAgentOffPolicy(offOptions({ memory }))).rejects.toThrow(
        /memory.*a ReplayBuffer/,
      );
    const memory = new ReplayBuffer({ max_size: 100 });
    const ids = { left_0: [0], right_0: [1] };
    memory.add({ obs: ids, action: ids, reward: ids, next_obs: ids, done: { left_0: 0, right_0: 0 } });
    await expect(trainMultiAgentOffPolicy(offOptions({ memory }))).rejects.toThrow(
      "ReplayBuffer: it holds 1 transitions of the agents left_0, right_0, and the environment has the agents speaker_0, listener_0; call clear() first",
    );
  });
});

describe("LocalTrainer with agents that play several", () => {
  it("trains in a parallel environment of the caller's own", async () => {
    const environment = new Scouts();
    const trainer = new LocalTrainer({
      algorithm: { name: "MADDPG", batch_size: 8, learn_step: 8 },
      environment,
      training: { max_steps: 64, evo_steps: 32, pop_size: 1, sum_scores: false },
      network: NETWORK,
    });
    const [[agent], [fitness]] = await trainer.train(QUIET);
    expect(agent).toBeInstanceOf(MADDPG);
    expect(fitness).toBe(agent?.fitness.at(-1));
    const { agent_fitness } = agent?.state ?? {};
    expect(Object.values(agent_fitness ?? {}).reduce((a, b) => a + b, 0) / 2).toBe(fitness);
  });
});
