// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import {
  GymEnvSpec,
  PPOSpec,
  parseAlgorithm,
  ReplayBufferSpec,
  SpecError,
  TrainingSpec,
} from "../../src/manifests/index.ts";
import { make, makeVector } from "../../src/rl/environments.ts";
import { SyncVectorEnvironment } from "../../src/rl/faces.ts";
import { Accelerator, LocalTrainer, Trainer } from "../../src/training/index.ts";
import { LATER, registerLater } from "../specs/laterAlgorithm.ts";
import { LevelEnvironment } from "./support/levelEnvironment.ts";
import { refusal } from "./support/refusal.ts";
import { dqn, EVOLUTION, ppo, statesOf, trained } from "./support/tiny.ts";

registerLater();

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
      { algorithm: { name: LATER } },
      /algorithm\.name: algorithm "Later" is known to the format but not yet supported by this build; available: DQN/,
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
      "prioritised replay",
      { replay_buffer: { per_buffer: true } },
      /replay_buffer\.per_buffer: only RainbowDQN/,
    ],
    [
      "multi-frequency selection of five",
      { ...EVOLUTION, training: { pop_size: 5 }, selection_strategy: { strategy: "multi_frequency" } },
      /^Invalid manifest: training\.pop_size: found 5; multi_frequency selection needs at least 6 agents$/,
    ],
    [
      "an entrypoint",
      { environment: { name: "CartPole-v1", entrypoint: "my:Env" } },
      /environment\.entrypoint: is known to the format, but not supported by this build/,
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

  it("run compiled in a vector environment of a registered one, to the same bits", async () => {
    const expected = statesOf((await trained(dqn(EVOLUTION))).population);
    const environment = makeVector("CartPole-v1", 4);
    expect(statesOf((await trained(dqn({ ...EVOLUTION, environment }))).population)).toEqual(expected);
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

  it("stay in one thread in an environment of the caller's own, which is said where workers are asked for", async () => {
    const environment = new LevelEnvironment(() => 3);
    const training = { max_steps: 64, evo_steps: 64 };
    const warnings = async (workers: number) =>
      (await trained(ppo({ environment, training, accelerator: new Accelerator({ workers }) }))).recorder
        .warnings;
    const said = "accelerator.workers is 2, which has no effect here: these agents train in one thread";
    expect(await warnings(2)).toContain(said);
    expect((await warnings(1)).join("\n")).not.toContain("accelerator.workers");
  });
});
