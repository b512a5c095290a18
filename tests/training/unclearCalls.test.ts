import { describe, expect, it } from "vitest";
import {
  createPopulation,
  DQN,
  MultiStepReplayBuffer,
  PrioritizedReplayBuffer,
  ReplayBuffer,
} from "../../src/agents/classes.ts";
import {
  EvolvableCNN,
  EvolvableLSTM,
  EvolvableMultiInput,
  EvolvableResNet,
  EvolvableSimBa,
  RolloutBuffer,
} from "../../src/agents/index.ts";
import {
  HyperparameterConfig,
  MultiFrequencySelection,
  Mutations,
  RLParameter,
  TournamentSelection,
} from "../../src/evolution/index.ts";
import { makeVector } from "../../src/rl/environments.ts";
import { EvolvableMLP } from "../../src/rl/networks.ts";
import { Accelerator, LocalTrainer, trainOffPolicy, trainOnPolicy } from "../../src/training/index.ts";
import { offPolicy, onPolicy, UNCHANGING } from "./support/functions.ts";
import { dqn } from "./support/tiny.ts";

/** Calls as JavaScript lets callers write them. */
type Loose = new (...args: unknown[]) => unknown;
const make =
  (constructor: unknown, ...args: unknown[]) =>
  () =>
    new (constructor as Loose)(...args);
const call = (f: unknown, ...args: unknown[]): Promise<unknown> =>
  (f as (...args: unknown[]) => Promise<unknown>)(...args);

const TRAINER = 'allowed one object of options, such as { algorithm: "DQN", environment: "CartPole-v1" }';

describe("LocalTrainer", () => {
  it("says what it takes when it is given nothing, or arguments one after another", () => {
    expect(make(LocalTrainer)).toThrow(`LocalTrainer: found nothing, ${TRAINER}`);
    expect(make(LocalTrainer, null)).toThrow(`LocalTrainer: found null, ${TRAINER}`);
    expect(make(LocalTrainer, "DQN")).toThrow(`LocalTrainer: found "DQN", ${TRAINER}`);
    expect(make(LocalTrainer, { name: "DQN" }, "CartPole-v1")).toThrow(
      `LocalTrainer: found 2 arguments (the first is a mapping), ${TRAINER}`,
    );
    const env = makeVector("CartPole-v1", 2);
    expect(make(LocalTrainer, env)).toThrow(`LocalTrainer: found a CompiledVectorEnvironment, ${TRAINER}`);
  });

  it("names the sections that are missing", () => {
    expect(make(LocalTrainer, { algorithm: "DQN" })).toThrow(/environment: missing/);
    expect(make(LocalTrainer, { environment: "CartPole-v1" })).toThrow(/algorithm: missing/);
  });

  it("trains with an object of options, not with a flag", async () => {
    const trainer = new LocalTrainer(dqn());
    for (const found of [false, true])
      await expect(call(trainer.train.bind(trainer), found)).rejects.toThrow(
        `LocalTrainer.train: found ${found}, allowed one object of options, such as { verbose: false }`,
      );
    await expect(call(LocalTrainer.fromManifest.bind(LocalTrainer), dqn(), "cpu")).rejects.toThrow(
      'LocalTrainer.fromManifest: found "cpu", allowed one object of options, such as { device: "cpu" }',
    );
  });
});

describe("training functions", () => {
  it("take one object of options", async () => {
    const { env, pop, memory } = offPolicy();
    await expect(call(trainOffPolicy, env, "CartPole-v1", "DQN", pop, memory)).rejects.toThrow(
      'trainOffPolicy: found 5 arguments (the first is a CompiledVectorEnvironment), allowed one object of options, such as { env, env_name: "CartPole-v1", algo: "DQN", pop, memory }',
    );
    await expect(call(trainOnPolicy)).rejects.toThrow(
      'trainOnPolicy: found nothing, allowed one object of options, such as { env, env_name: "CartPole-v1", algo: "PPO", pop }',
    );
  });

  it.each<[unknown, RegExp]>([
    [
      undefined,
      /^member 0 could not be trained: collect_rollouts_fn: returned nothing, allowed \[scores, last_obs, last_done, last_scores, last_info\]/,
    ],
    [Promise.resolve([]), /returned a promise, .*: collectors are not awaited$/],
    [[[], 1, 2, 3, 4], /returned 1 as last_obs, allowed .*each a list$/],
    [[[]], /returned a list of 1 items, allowed/],
  ])("name what a collector of rollouts returned: %s", async (result, message) => {
    const collect_rollouts_fn = () => result as never;
    await expect(trainOnPolicy(onPolicy({ collect_rollouts_fn }))).rejects.toThrow(message);
  });
});

describe("createPopulation", () => {
  const spaces = () => {
    const { single_observation_space: observation_space, single_action_space: action_space } = makeVector(
      "CartPole-v1",
      1,
    );
    return { observation_space, action_space };
  };

  it("names the space that is missing, and what has it", () => {
    const options = { algorithm: "DQN", population_size: 2 };
    expect(() => createPopulation(options as never)).toThrow(
      "createPopulation: observation_space: found nothing, allowed a space (Agents, Box, Dict, Discrete, MultiBinary, MultiDiscrete, Tuple), or those of several agents by id; an environment has it as observation_space, one of several agents as observation_spaces, lanes as single_observation_space",
    );
    const { observation_space } = spaces();
    expect(() =>
      createPopulation({ ...options, observation_space, action_space: { n: 2 } } as never),
    ).toThrow("createPopulation: action_space: found a mapping, allowed a space");
    expect(() => new DQN({ observation_space } as never)).toThrow(
      "DQN: action_space: found nothing, allowed a space",
    );
  });

  it("takes one object of options, all of them known", () => {
    const loose = (...args: unknown[]): unknown => Reflect.apply(createPopulation, undefined, args);
    expect(() => loose("DQN", spaces(), 4)).toThrow(
      'createPopulation: found 3 arguments (the first is "DQN"), allowed one object of options, such as { algorithm: "DQN", observation_space, action_space, population_size: 4 }',
    );
    expect(() => loose({ algorithm: "DQN", ...spaces(), pop_size: 4 })).toThrow(
      "createPopulation: unknown option pop_size; allowed: algorithm,",
    );
  });
});

const IMAGE = {
  input_shape: [3, 12, 12],
  num_outputs: 2,
  kernel_size: [3],
  stride_size: [1],
  channel_size: [16],
};

describe("objects of options", () => {
  it.each<[string, unknown, object, string]>([
    ["Accelerator", Accelerator, { worker: 4 }, 'worker (did you mean "workers"?); allowed: device, workers'],
    [
      "Mutations",
      Mutations,
      { ...UNCHANGING, mutaton_sd: 1 },
      'mutaton_sd (did you mean "mutation_sd"?); allowed: no_mutation,',
    ],
    [
      "TournamentSelection",
      TournamentSelection,
      { tournament_size: 2, elite: true, population_size: 2 },
      "elite",
    ],
    [
      "MultiFrequencySelection",
      MultiFrequencySelection,
      { population_size: 8, n_losser: 2 },
      'n_losser (did you mean "n_losers"?)',
    ],
    ["RLParameter", RLParameter, { min: 0, max: 1, grow: 2 }, "grow"],
    ["ReplayBuffer", ReplayBuffer, { maxsize: 10 }, 'maxsize (did you mean "max_size"?)'],
    [
      "MultiStepReplayBuffer",
      MultiStepReplayBuffer,
      { max_size: 10, nstep: 3 },
      'nstep (did you mean "n_step"?)',
    ],
    [
      "PrioritizedReplayBuffer",
      PrioritizedReplayBuffer,
      { max_size: 10, alpa: 0.6 },
      'alpa (did you mean "alpha"?)',
    ],
    ["RolloutBuffer", RolloutBuffer, { capacty: 10 }, 'capacty (did you mean "capacity"?)'],
    [
      "EvolvableMLP",
      EvolvableMLP,
      { num_inputs: 2, num_outputs: 2, hidden_sizes: [8] },
      'hidden_sizes (did you mean "hidden_size"?)',
    ],
    ["EvolvableLSTM", EvolvableLSTM, { num_inputs: 2, num_outputs: 2, hidden_state: 8 }, "hidden_state"],
    [
      "EvolvableSimBa",
      EvolvableSimBa,
      { num_inputs: 2, num_outputs: 2, hidden_size: 8, blocks: 1 },
      "blocks",
    ],
    ["EvolvableCNN", EvolvableCNN, { ...IMAGE, strides: [1] }, "strides"],
    ["EvolvableResNet", EvolvableResNet, { ...IMAGE, blocks: 1 }, "blocks"],
    [
      "EvolvableMultiInput",
      EvolvableMultiInput,
      { num_output: 2 },
      'num_output (did you mean "num_outputs"?)',
    ],
  ])("of %s have no unknown names", (name, constructor, options, rest) => {
    expect(make(constructor, options)).toThrow(`${name}: unknown option ${rest}`);
    expect(make(constructor, "x")).toThrow(`${name}: found "x", allowed one object of options, such as {`);
  });

  it("have unknown names counted where there are many, and cut where they are long", () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`zz${i}${"z".repeat(200)}`, 1]));
    expect(make(Accelerator, many)).toThrow(/ and 12 more; allowed: device, workers, modules$/);
    expect(make(Accelerator, many)).not.toThrow(/z{81}/);
  });

  it("may be left out where nothing is needed", () => {
    expect(new Accelerator().workers).toBe(1);
  });

  it("of a HyperparameterConfig are ranges by name", () => {
    expect(make(HyperparameterConfig, ["lr"])).toThrow(
      /^HyperparameterConfig: found Array, allowed an object of RLParameters by hyperparameter, such as \{ lr: new RLParameter/,
    );
    expect(make(HyperparameterConfig, { lr: 1 })).toThrow(
      "HyperparameterConfig.lr: found number, allowed RLParameter",
    );
  });

  it("of makeVector are named, with what is near", () => {
    expect(() => makeVector("Acrobot-v1", 2, { max_episode_step: 5 })).toThrow(
      'Acrobot-v1: option "max_episode_step" is unknown; did you mean "max_episode_steps"?, allowed: max_episode_steps',
    );
  });
});
