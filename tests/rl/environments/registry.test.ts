// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import { Environment, registerEnvironment } from "../../../src/agents/index.ts";
import {
  findCompiledEnvironment,
  findEnvironment,
  type HostEnvironmentDefinition,
  isCompiled,
  loadEnvironment,
  make,
  makeVector,
  prepareProgram,
} from "../../../src/rl/environments.ts";

/** CartPole as a lazily loaded environment. */
function lazyCartPole(id: string): { definition: HostEnvironmentDefinition; loads: () => number } {
  let loads = 0;
  const { observation_space, action_space, max_episode_steps, reward_threshold, ...dynamics } =
    findCompiledEnvironment("CartPole-v1");
  const facts = { id, observation_space, action_space, max_episode_steps, reward_threshold };
  const load = async () => {
    loads++;
    return ({ max_episode_steps: limit }: { readonly max_episode_steps: number }) =>
      new Environment({ ...dynamics, ...facts, max_episode_steps: limit }, prepareProgram);
  };
  return { definition: { ...facts, load }, loads: () => loads };
}

describe("a host environment known by name", () => {
  it("is made once it is loaded, and loaded once", async () => {
    const { definition, loads } = lazyCartPole("Lazy-v0");
    registerEnvironment(definition);
    expect(findEnvironment("Lazy-v0")).toBe(definition);
    expect(() => make("Lazy-v0")).toThrow('Lazy-v0: not loaded; call await loadEnvironment("Lazy-v0") first');
    expect(() => makeVector("Lazy-v0", 2)).toThrow("Lazy-v0: not loaded");
    await loadEnvironment("Lazy-v0");
    await loadEnvironment("Lazy-v0");
    expect(loads()).toBe(1);
    expect(make("Lazy-v0", { max_episode_steps: 7 }).spec.max_episode_steps).toBe(7);
  });

  it("steps in lanes as one by one", async () => {
    await loadEnvironment("LunarLander-v3");
    const lanes = makeVector("LunarLander-v3", 2);
    const single = make("LunarLander-v3");
    const start = lanes.reset({ seed: 3 }).observation;
    expect(start.slice(8)).toEqual(single.reset({ seed: 4 }).observation);
    const { observation, reward } = lanes.step([0, 2]);
    const alone = single.step(2);
    expect(observation.slice(8)).toEqual(alone.observation);
    expect(reward[1]).toBe(Math.fround(alone.reward));
    lanes.close();
    expect(() => lanes.step([0, 0])).toThrow("the environment is closed");
  });

  it("is no tensor program", () => {
    expect(isCompiled(findEnvironment("LunarLander-v3"))).toBe(false);
    expect(isCompiled(findEnvironment("CartPole-v1"))).toBe(true);
    expect(() => findCompiledEnvironment("LunarLander-v3")).toThrow("cannot run as a tensor program");
  });
});
