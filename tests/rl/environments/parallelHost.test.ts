/** Custom multi-agent environments as lanes. */
// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import {
  isVectorEnvironment,
  type NamedParallelEnvironment,
  registerEnvironment,
} from "../../../src/agents/index.ts";
import {
  type HostEnvironmentDefinition,
  loadEnvironment,
  make,
  makeVector,
  NamedVectorEnvironment,
  vectorOf,
} from "../../../src/rl/environments.ts";
import { type ParallelEnvironment, SyncVectorEnvironment } from "../../../src/rl/faces.ts";
import { Agents } from "../../../src/rl/spaces.ts";
import { consoleWarnings } from "../../training/support/consoleWarnings.ts";
import { ACTIONS, Walk, walk } from "./parallelWalk.ts";

const lane = (made: Walk) => () => made as object as ParallelEnvironment;

describe("lanes of several agents", () => {
  it("join spaces, observations and rewards in the environment's order", () => {
    const env = new SyncVectorEnvironment([() => walk(), () => walk()]);
    const { observation_spaces, action_spaces } = new Walk();
    expect(env.single_observation_space).toEqual(new Agents(observation_spaces));
    expect(env.single_action_space).toEqual(new Agents(action_spaces));
    expect(isVectorEnvironment(env)).toBe(true);
    const { observation, info } = env.reset({ seed: 4 });
    expect([...observation]).toEqual([0, 3, 0, 0, 0, 3, 0, 0]);
    expect(info[1]).toEqual({ scout_0: { action_mask: [1, 1, 0] }, carrier_0: {} });
    const step = env.step([...ACTIONS, ...ACTIONS]);
    expect([...step.observation]).toEqual([1, 1, 1, -1, 1, 1, 1, -1]);
    expect([...step.reward]).toEqual([1, 10, 1, 10]);
    expect([...step.terminated]).toEqual([0, 0, 0, 0]);
    expect([...step.truncated]).toEqual([0, 0]);
  });

  it("give each agent its action, and a seed to each lane", () => {
    const [a, b] = [new Walk(), new Walk()];
    const env = new SyncVectorEnvironment([lane(a), lane(b)]);
    env.reset({ seed: 4, options: { map: "x" } });
    env.step([1, 0, 1, 2, 1, 1]);
    env.step([1, 0, 1, 2, 1, 1]);
    env.step([1, 0, 1, 2, 1, 1]);
    expect(a.seen).toEqual([
      { seed: 4, options: { map: "x" } },
      { scout_0: 1, carrier_0: [0, 1] },
      { scout_0: 1, carrier_0: [0, 1] },
      { carrier_0: [0, 1] },
    ]);
    expect(b.seen.slice(0, 2)).toEqual([
      { seed: 5, options: { map: "x" } },
      { scout_0: 2, carrier_0: [1, 1] },
    ]);
  });

  it("go on with zeros for an agent that has left, and reset when the last one leaves", () => {
    const env = new SyncVectorEnvironment([() => walk()]);
    env.reset();
    env.step(ACTIONS);
    const left = env.step(ACTIONS);
    expect([...left.terminated, ...left.truncated]).toEqual([1, 0, 0]);
    expect([...left.reward]).toEqual([1, 10]);
    expect([...left.observation]).toEqual([0, 0, 2, -1]);
    expect([...left.final_observation]).toEqual([0, 0, 2, -1]);
    expect(left.info).toEqual([{ carrier_0: { action_mask: [1, 0, 1, 1] } }]);
    expect(Object.keys(left.final_info[0] ?? {})).toEqual(["scout_0", "carrier_0"]);
    const alone = env.step(ACTIONS);
    expect([...alone.reward, ...alone.terminated]).toEqual([0, 10, 1, 0]);
    const over = env.step(ACTIONS);
    expect([...over.terminated, ...over.truncated]).toEqual([1, 1, 0]);
    expect([...over.observation]).toEqual([0, 3, 0, 1]);
    expect([...over.final_observation]).toEqual([0, 0, 0, 0]);
    expect(Object.keys(over.info[0] ?? {})).toEqual(["scout_0", "carrier_0"]);
    expect(Object.keys(over.final_info[0] ?? {})).toEqual(["carrier_0"]);
    expect([...env.step(ACTIONS).terminated]).toEqual([0, 0]);
  });

  it("are cut off with what those see who go on", () => {
    const env = new SyncVectorEnvironment([() => walk({ cuts: true })]);
    env.reset();
    for (const _ of [1, 2, 3]) env.step(ACTIONS);
    const cut = env.step(ACTIONS);
    expect([...cut.terminated, ...cut.truncated]).toEqual([1, 0, 1]);
    expect([...cut.final_observation]).toEqual([0, 0, 4, -1]);
    expect([...cut.observation]).toEqual([0, 3, 0, 1]);
  });

  it("tell both where the last task ends as the episode is cut off", () => {
    const both = (given: object) => ({ ...given, truncations: { carrier_0: true } });
    const env = new SyncVectorEnvironment([
      () => walk({ step: (given, count) => (count === 3 ? both(given) : given) }),
    ]);
    env.reset();
    for (const _ of [1, 2, 3]) expect([...env.step(ACTIONS).truncated]).toEqual([0]);
    const { terminated, truncated } = env.step(ACTIONS);
    expect([...terminated, ...truncated]).toEqual([1, 1, 1]);
  });

  it("stand still where nobody wants them, and are closed", () => {
    const [a, b] = [new Walk(), new Walk()];
    const env = new SyncVectorEnvironment([lane(a), lane(b)]);
    env.reset();
    const { info } = env.step([...ACTIONS, ...ACTIONS], Uint8Array.of(0, 1));
    expect([a.seen.length, b.seen.length]).toEqual([1, 2]);
    expect(info[0]).toEqual({});
    env.close();
    expect([a.closed, b.closed]).toEqual([true, true]);
  });

  it("are what a single environment becomes", () => {
    const env = vectorOf(walk());
    expect([env.num_envs, env.single_action_space.kind]).toEqual([1, "Agents"]);
    expect(vectorOf(env)).toBe(env);
  });
});

describe("an environment of several agents whose reset starts no new episode", () => {
  const warnings = consoleWarnings();

  it("is told of once", () => {
    let over = 0;
    const stuck = (given: object) => {
      over++;
      const ends = over >= 2;
      return over > 1 ? { ...given, terminations: { scout_0: ends, carrier_0: ends } } : given;
    };
    const env = new SyncVectorEnvironment([() => walk({ step: stuck, scout: 9 })]);
    env.reset();
    for (let t = 0; t < 2000; t++) env.step(ACTIONS);
    expect(warnings).toEqual([
      expect.stringMatching(/^rlkit: Walk: 1000 episodes of lane 0 in a row ended at their first step/),
    ]);
  });
});

describe("an environment of several agents that is known by name", () => {
  class Named extends Walk {
    readonly spec: NamedParallelEnvironment["spec"];

    constructor(max_episode_steps: number) {
      super();
      this.spec = { id: "test/Walk-v0", max_episode_steps };
    }
  }
  const { observation_spaces, action_spaces } = new Walk();
  const definition: HostEnvironmentDefinition = {
    id: "test/Walk-v0",
    observation_space: new Agents(observation_spaces),
    action_space: new Agents(action_spaces),
    max_episode_steps: 9,
    reward_threshold: null,
    load: async () => (options) => new Named(options.max_episode_steps) as object as NamedParallelEnvironment,
  };

  it("is made by it, single and as lanes", async () => {
    registerEnvironment(definition);
    await loadEnvironment(definition.id);
    const env = make<"parallel">(definition.id, { max_episode_steps: 5 });
    expect([env.possible_agents.length, env.spec.max_episode_steps]).toEqual([2, 5]);
    const lanes = makeVector(definition.id, 2);
    expect(lanes).toBeInstanceOf(NamedVectorEnvironment);
    expect(lanes.spec).toEqual({ id: "test/Walk-v0", max_episode_steps: 9 });
    expect(lanes.reset().observation).toHaveLength(8);
  });
});
