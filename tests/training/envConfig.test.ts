/** Runs whose manifests give their environment options. */
// @apart: it registers what the library does not have.
import { describe, expect, it, vi } from "vitest";
import type { ActingAgent } from "../../src/agents/classes.ts";
import { registerEnvironment } from "../../src/agents/index.ts";
import { parseManifestObject } from "../../src/manifests/index.ts";
import { findEnvironment, loadEnvironment, make, makeVector } from "../../src/rl/environments.ts";
import type { EnvironmentOptions } from "../../src/rl/faces.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { GpuExecutor } from "../../src/training/executors.ts";
import {
  Accelerator,
  decodeAgent,
  LocalTrainer,
  trainOffPolicy,
  trainOnPolicy,
} from "../../src/training/index.ts";
import { environmentOf } from "../../src/training/plan.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { evolution, offPolicy, onPolicy, ppoPopulation } from "./support/functions.ts";
import { dqn, EVOLUTION, ppo, statesOf, trained } from "./support/tiny.ts";

keepThreads();

const environment = (name: string, env_config?: Record<string, unknown>) => ({
  environment: { env_type: "gym" as const, name, num_envs: 4, ...(env_config && { env_config }) },
});

/** Every way leads to the goal. */
const CORRIDOR = { desc: ["SG"], is_slippery: false };

describe("a run with env_config", () => {
  it("trains where its options say, alone and in workers, and keeps them with its agents", async () => {
    const store = memoryFileStore();
    const options = { ...environment("FrozenLake-v1", CORRIDOR), training: { eval_steps: 50 } };
    const here = await trained(dqn({ ...options, store }), { save_elite: true, elite_path: "e" });
    expect(here.fitnesses.some((fitness) => fitness === 1)).toBe(true);
    const spread = await trained(dqn({ ...options, accelerator: new Accelerator({ workers: 2 }) }));
    expect(statesOf(spread.population)).toEqual(statesOf(here.population));
    const file = decodeAgent(await store.read("e.safetensors"), "e");
    expect(file).toMatchObject({ environment: "FrozenLake-v1", env_config: CORRIDOR });
    expect(file.observation_space).toMatchObject({ n: 2 });
    const { state } = await trained(dqn(environment("FrozenLake-v1")));
    expect(state.members[0]?.networks.actor?.data).not.toEqual(here.state.members[0]?.networks.actor?.data);
  });

  it("trains in a host environment with its options, alone and in workers", async () => {
    const options = (env_config?: Record<string, unknown>) => ({
      ...environment("LunarLander-v3", env_config),
      training: { eval_steps: 40, evo_steps: 64, max_steps: 64 },
    });
    const low = { gravity: -1, max_episode_steps: 30 };
    const here = statesOf((await trained(dqn(options(low)))).population);
    const accelerator = new Accelerator({ workers: 2 });
    expect(statesOf((await trained(dqn({ ...options(low), accelerator }))).population)).toEqual(here);
    expect(statesOf((await trained(dqn(options()))).population)).not.toEqual(here);
  });

  it("has the actions that its options ask for", async () => {
    const { population } = await trained(
      ppo({
        ...environment("LunarLander-v3", { continuous: true }),
        training: { eval_steps: 20, max_steps: 64, evo_steps: 64 },
        algorithm: { learn_step: 64 },
      }),
    );
    expect(population[0]?.action_space).toMatchObject({ kind: "Box", shape: [2] });
  });

  it("warns when it goes on with other options", async () => {
    const store = memoryFileStore();
    await trained(dqn({ ...environment("CartPole-v1", { max_episode_steps: 60 }), store }), {
      checkpoint_steps: 480,
      checkpoint_path: "c",
    });
    const resume_from_checkpoint = "c_960";
    const { recorder } = await trained(
      dqn({
        ...environment("CartPole-v1", { max_episode_steps: 90 }),
        training: { max_steps: 640 },
        store,
        resume_from_checkpoint,
      }),
    );
    expect(recorder.of("warning").map(({ message }) => message)).toContainEqual(
      'resume_from_checkpoint was trained with the environment\'s options {"max_episode_steps":60}, but environment.env_config is {"max_episode_steps":90}',
    );
  });

  it("reaches the GPU's executor too", async () => {
    const gpu = new GpuExecutor({ open: () => Promise.reject(new Error("no adapter")) });
    const setup = { workload: "rl", environment: "FrozenLake-v1", replay: null, written: [] };
    await expect(gpu.open({ ...setup, env_config: { desc: [] } })).rejects.toThrow("FrozenLake-v1.desc");
    await expect(gpu.open({ ...setup, env_config: CORRIDOR })).rejects.toThrow("no adapter");
  });

  it("steps lanes in its own thread, as they are, when their options are no plain data", async () => {
    const made: unknown[] = [];
    const load = async () => (options: object) => {
      made.push(options);
      return make("CartPole-v1");
    };
    const { observation_space, action_space, max_episode_steps } = findEnvironment("CartPole-v1");
    const facts = { observation_space, action_space, max_episode_steps, reward_threshold: null };
    registerEnvironment({ ...facts, id: "OptionsOfFunctions-v0", load });
    await loadEnvironment("OptionsOfFunctions-v0");
    const lanes = makeVector("OptionsOfFunctions-v0", 4, { reward: () => 1 });
    await trained(dqn({ environment: lanes, training: { eval_steps: 5, max_steps: 160 } }));
    expect(made).toHaveLength(4);
    lanes.close();
  });
});

const LANES: [string, string, EnvironmentOptions][] = [
  ["a time limit", "CartPole-v1", { max_episode_steps: 30 }],
  ["a map", "FrozenLake-v1", { ...CORRIDOR, max_episode_steps: 20 }],
  ["rules of its own", "CartPole-v1", { sutton_barto_reward: true }],
  ["host lanes", "LunarLander-v3", { gravity: -3, max_episode_steps: 30 }],
];

describe.each(LANES)("lanes that makeVector made with options: %s", (_, name, env_config) => {
  const training = { eval_steps: 40, evo_steps: 96, max_steps: 192 };
  const result = (population: readonly ActingAgent[], fitnesses: readonly number[]) => ({
    members: statesOf(population),
    fitnesses,
  });
  const lanes = async () => {
    await loadEnvironment(name);
    return makeVector(name, 4, env_config);
  };

  it("are a run by name with env_config, in LocalTrainer and in workers of trainOffPolicy", async () => {
    const named = await trained(dqn({ ...environment(name, env_config), ...EVOLUTION, training }));
    const expected = result(named.population, named.fitnesses);
    const env = await lanes();
    const step = vi.spyOn(env, "step");
    const accelerator = new Accelerator({ workers: 2 });
    const loop = await trainOffPolicy(
      offPolicy({ env, ...training, ...evolution(), env_name: name, accelerator }),
    );
    expect(result(...loop)).toEqual(expected);
    const live = await trained(dqn({ environment: env, ...EVOLUTION, training }));
    expect(result(live.population, live.fitnesses)).toEqual(expected);
    expect(step).not.toHaveBeenCalled();
    env.close();
  });

  it("are one in trainOnPolicy too, and the elite's file has the options", async () => {
    const short = { ...training, evo_steps: 64, max_steps: 128 };
    const named = await trained(ppo({ ...environment(name, env_config), training: short }));
    const env = await lanes();
    const store = memoryFileStore();
    const pop = ppoPopulation(env, 2, { num_envs: 4 });
    const loop = await trainOnPolicy(
      onPolicy({ env, pop, ...short, env_name: name, store, save_elite: true, elite_path: "e" }),
    );
    expect(result(...loop)).toEqual(result(named.population, named.fitnesses));
    const file = decodeAgent(await store.read("e.safetensors"), "e");
    expect(file).toMatchObject({ environment: name, env_config });
    env.close();
  });
});

it("lets lanes of a compiled environment train on a GPU whatever their options", () => {
  const of = (name: string, options: EnvironmentOptions) =>
    new LocalTrainer(dqn({ environment: makeVector(name, 4, options), device: "webgpu" })).device;
  expect(of("CartPole-v1", { max_episode_steps: 30 })).toBe("webgpu");
  expect(of("FrozenLake-v1", CORRIDOR)).toBe("webgpu");
});

describe("env_config that does not fit", () => {
  const refusal = (name: string, env_config: unknown) => () =>
    environmentOf(parseManifestObject({ algorithm: { name: "DQN" }, environment: { name, env_config } }));

  it.each([
    ["FrozenLake-v1", { slippery: false }, /environment\.env_config\.slippery: unknown key/],
    ["FrozenLake-v1", { map_name: "5x5" }, /environment\.env_config\.map_name: .*4x4/],
    ["LunarLander-v3", { gravity: -20 }, /environment\.env_config\.gravity: found -20/],
    ["Acrobot-v1", { gravity: 1 }, /environment\.env_config: Acrobot-v1: option "gravity" is unknown/],
    [
      "CartPole-v1",
      { gravity: 1 },
      /environment\.env_config\.gravity: .* allowed keys: sutton_barto_reward, max_ep/,
    ],
    ["CartPole-v1", { max_episode_steps: 0 }, /environment\.env_config: .*found 0/],
    ["CartPole-v1", "options.yaml", /environment\.env_config: found a file's name \("options\.yaml"\)/],
    ["CartPool-v1", { gravity: 1 }, /environment\.name: .*did you mean "CartPole-v1"/],
  ])("is refused at its place: %s with %j", (name, env_config, message) => {
    expect(refusal(name, env_config)).toThrow(message);
  });

  it("may be empty", () => {
    expect(refusal("CartPole-v1", {})()).toMatchObject({ id: "CartPole-v1" });
  });
});
