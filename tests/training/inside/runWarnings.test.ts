import { describe, expect, it, vi } from "vitest";
import {
  createPopulation,
  MultiStepReplayBuffer,
  PrioritizedReplayBuffer,
  ReplayBuffer,
} from "../../../src/agents/classes.ts";
import { RainbowDQN } from "../../../src/agents/index.ts";
import { HyperparameterConfig, Mutations, RLParameter } from "../../../src/evolution/index.ts";
import { manifestWarnings, parseManifest, templates } from "../../../src/manifests/index.ts";
import { loadEnvironment, makeVector } from "../../../src/rl/environments.ts";
import { LocalTrainer, trainOffPolicy } from "../../../src/training/index.ts";
import { overshootWarning } from "../../../src/training/rl/RlWorkload.ts";
import { tournament } from "../support/functions.ts";
import { dqn, ppo, Recorder, trained } from "../support/tiny.ts";

/** What a run says before its first generation. */
async function said(trainer: LocalTrainer): Promise<string[]> {
  return (await trained(trainer, { onRun: (run) => run.stop() })).recorder.warnings;
}

describe("runs that leave all to the defaults", () => {
  it.each(templates.map(({ id, manifest }) => [id, manifest] as const))(
    "of the template %s have no warning",
    async (_id, manifest) => {
      const { env_type, name } = parseManifest(manifest).environment;
      if (env_type === "gym") await loadEnvironment(name);
      expect(manifestWarnings(parseManifest(manifest))).toEqual([]);
      expect(await said(await LocalTrainer.fromManifest(manifest))).toEqual([]);
    },
  );

  it.each([
    ["DQN", "CartPole-v1"],
    ["RainbowDQN", "CartPole-v1"],
    ["DDPG", "Pendulum-v1"],
    ["TD3", "Pendulum-v1"],
    ["PPO", "Acrobot-v1"],
  ])("of a manifest with nothing but %s and %s have no warning", async (algorithm, environment) => {
    const manifest = { algorithm: { name: algorithm }, environment: { name: environment } };
    expect(manifestWarnings(parseManifest(manifest))).toEqual([]);
    expect(await said(await LocalTrainer.fromManifest(manifest))).toEqual([]);
  });

  it("of a population and a training function have no warning", async () => {
    const console = vi.spyOn(globalThis.console, "warn").mockImplementation(() => undefined);
    const env = makeVector("CartPole-v1", 16);
    const { single_observation_space: observation_space, single_action_space: action_space } = env;
    const pop = createPopulation({ algorithm: "DQN", observation_space, action_space, population_size: 4 });
    await trainOffPolicy({
      env,
      env_name: "CartPole-v1",
      algo: "DQN",
      pop: pop as never,
      memory: new ReplayBuffer({ max_size: 100_000 }),
      max_steps: 60_000,
      evo_steps: 4_000,
      selection_strategy: tournament(4),
      mutation: new Mutations({
        no_mutation: 0.4,
        architecture: 0.2,
        new_layer_prob: 0.2,
        parameters: 0.2,
        activation: 0,
        rl_hp: 0.2,
      }),
      verbose: false,
      onRun: (run) => run.stop(),
    });
    expect(console).not.toHaveBeenCalled();
    console.mockRestore();
  });
});

describe("max_steps", () => {
  it("is warned of where a rollout is longer than what is left, with by how much", async () => {
    const run = await trained(
      ppo({ algorithm: { learn_step: 500 }, training: { max_steps: 100, evo_steps: 100 } }),
    );
    expect(run.recorder.warnings).toContain(
      "max_steps is 100, but agents will take 500 (400 more), because only whole generations are trained: a generation is 500 steps, in rollouts of 500 (learn_step 500, 4 environments)",
    );
    expect(run.population.map(({ state }) => state.steps)).toEqual([500, 500]);
  });

  it("is warned of where whole generations pass it by more than a tenth", async () => {
    const run = await trained(dqn({ training: { max_steps: 200, evo_steps: 160 } }));
    expect(run.recorder.warnings).toContain(
      "max_steps is 200, but agents will take 320 (120 more), because only whole generations are trained: a generation is 160 steps of 4 environments",
    );
    expect(run.population.map(({ state }) => state.steps)).toEqual([320, 320]);
  });

  it("counts from the steps that agents have taken, of the one that is furthest", () => {
    const plan = {
      environment: "x",
      env_config: null,
      num_envs: 4,
      seed: 1,
      max_steps: 1000,
      evo_steps: 100,
      eval_loop: 1,
      eval_steps: null,
      target: null,
      off_policy: null,
    };
    const members = (...steps: number[]) =>
      steps.map((n) => ({ steps: n, hyperparameters: { learn_step: 100 } }));
    expect(overshootWarning(plan, members(0, 0))).toBeNull();
    expect(overshootWarning(plan, members(0, 950))).toMatch(/agents will take 1050 \(50 more\)/);
    expect(overshootWarning(plan, members(0, 1000))).toBeNull();
    expect(overshootWarning({ ...plan, max_steps: 1049 }, members(0))).toBeNull();
  });
});

describe("a hyperparameter outside the range in which it mutates", () => {
  const message = (place: string) =>
    `${place} is 0.1, outside the range in which it mutates (0.0001 to 0.01): its first mutation moves it inside`;
  const range = { min: 1e-4, max: 1e-2 };

  it("is warned of from a manifest, before a run and when it starts", async () => {
    const manifest = {
      algorithm: { name: "DQN", lr: 0.1 },
      environment: { name: "CartPole-v1" },
      mutation: { rl_hp_selection: { lr: range, batch_size: { min: 8, max: 512 } } },
      selection_strategy: {},
      training: { pop_size: 2 },
    };
    const found = manifestWarnings(parseManifest(manifest as never));
    expect(found.map(({ path, message: text }) => `${path} ${text}`)).toEqual([message("algorithm.lr")]);
    expect(await said(await LocalTrainer.fromManifest(manifest as never))).toEqual([message("algorithm.lr")]);
  });

  it("is warned of from an hp_config, in a trainer and in a training function, once", async () => {
    const hp_config = new HyperparameterConfig({ lr: new RLParameter(range) });
    const algorithm = { name: "DQN", lr: 0.1 } as const;
    expect(await said(new LocalTrainer({ algorithm, environment: "CartPole-v1", hp_config }))).toEqual([
      message("lr"),
    ]);
    const valued = new HyperparameterConfig({ lr: new RLParameter({ ...range, value: 0.1 }) });
    const trainer = new LocalTrainer({ algorithm: "DQN", environment: "CartPole-v1", hp_config: valued });
    expect(await said(trainer)).toEqual([message("lr")]);
    const env = makeVector("CartPole-v1", 16);
    const { single_observation_space: observation_space, single_action_space: action_space } = env;
    const recorder = new Recorder();
    await trainOffPolicy({
      env,
      env_name: "CartPole-v1",
      algo: "DQN",
      pop: createPopulation({
        algorithm,
        observation_space,
        action_space,
        population_size: 2,
        hp_config,
      }) as never,
      memory: new ReplayBuffer({ max_size: 1000 }),
      max_steps: 60_000,
      evo_steps: 4_000,
      verbose: false,
      observer: recorder,
      onRun: (run) => run.stop(),
    });
    expect(recorder.warnings).toEqual([message("lr")]);
  });
});

describe("n_step of Rainbow", () => {
  const buffer = { kind: "classic", max_size: 400 } as const;
  const message =
    "algorithm.n_step found 5, which has no effect without replay_buffer.n_step_buffer: returns have one step; set n_step_buffer to true, or leave this key out";

  it("is warned of without an n-step buffer, whatever it is", async () => {
    const of = (n_step: number | null, replay_buffer: object | null) =>
      manifestWarnings(
        parseManifest({
          algorithm: { name: "RainbowDQN", ...(n_step === null ? {} : { n_step }) },
          environment: { name: "CartPole-v1" },
          replay_buffer,
        } as never),
      ).map(({ path, message: text }) => `${path} ${text}`);
    expect(of(5, buffer)).toEqual([message]);
    expect(of(3, null)).toEqual([message.replace("found 5", "found 3")]);
    expect(of(1, null)).toEqual([]);
    expect(of(null, buffer)).toEqual([]);
    expect(of(5, { ...buffer, n_step_buffer: true, n_step_buffer_args: { n_step: 5 } })).toEqual([]);
    const algorithm = { name: "RainbowDQN", n_step: 5 } as const;
    expect(await said(new LocalTrainer({ algorithm, environment: "CartPole-v1" }))).toEqual([message]);
  });

  it("is warned of by trainOffPolicy", async () => {
    const env = makeVector("CartPole-v1", 4);
    const warnings = async (
      n_step: number | undefined,
      memory: ReplayBuffer,
      n_step_memory?: MultiStepReplayBuffer,
    ) => {
      const recorder = new Recorder();
      const pop = createPopulation({
        algorithm: { name: "RainbowDQN", batch_size: 8, ...(n_step === undefined ? {} : { n_step }) },
        population_size: 1,
        observation_space: env.single_observation_space,
        action_space: env.single_action_space,
      }).filter((agent) => agent instanceof RainbowDQN);
      await trainOffPolicy({
        env,
        env_name: "CartPole-v1",
        algo: "RainbowDQN",
        pop,
        memory,
        ...(n_step_memory ? { n_step_memory } : {}),
        max_steps: 4000,
        evo_steps: 2000,
        verbose: false,
        observer: recorder,
        onRun: (run) => run.stop(),
      });
      return recorder.warnings;
    };
    const max_size = 400;
    expect(await warnings(5, new ReplayBuffer({ max_size }))).toEqual([
      "pop: n_step is 5, which has no effect without a MultiStepReplayBuffer as memory: returns have one step",
    ]);
    expect(await warnings(5, new PrioritizedReplayBuffer({ max_size }))).toEqual([
      "pop: n_step is 5, which has no effect without n_step_memory: returns have one step",
    ]);
    expect(await warnings(undefined, new ReplayBuffer({ max_size }))).toEqual([]);
    expect(await warnings(5, new MultiStepReplayBuffer({ max_size, n_step: 5 }))).toEqual([]);
  });
});
