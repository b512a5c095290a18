/** Compiled multi-agent environments with PettingZoo's parallel API, single and vectorised. */
// @apart: it registers what the library does not have.
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  CompiledParallelEnvironment,
  type NamedEnvironment,
  type NamedParallelEnvironment,
  type ParallelEnvironmentId,
  registerEnvironment,
} from "../../../src/agents/index.ts";
import { resetLanes, stepLanes } from "../../../src/agents/members.ts";
import { make, makeVector } from "../../../src/rl/environments.ts";
import { isParallelEnvironment, SyncVectorEnvironment } from "../../../src/rl/faces.ts";
import { Box, Discrete } from "../../../src/rl/spaces.ts";
import { Race } from "./parallelRace.ts";

registerEnvironment(Race);

const race = (options = {}): NamedParallelEnvironment => make<"parallel">(Race.id, options);
/** The runner climbs, the glider holds. */
const CLIMB = { runner_0: 6, glider_0: [0, 0] };
const FALL = { runner_0: 5, glider_0: [0, 0] };

describe("make", () => {
  it("gives an environment of several agents the parallel face", () => {
    const env = race();
    expect(env).toBeInstanceOf(CompiledParallelEnvironment);
    expect([isParallelEnvironment(env), isParallelEnvironment(make("CartPole-v1"))]).toEqual([true, false]);
    expect([env.possible_agents, env.agents]).toEqual([["runner_0", "glider_0"], []]);
    expect(env.action_spaces).toEqual({
      runner_0: new Discrete(2, { start: 5 }),
      glider_0: new Box({ low: -1, high: 1, shape: [2] }),
    });
    expect(env.observation_spaces.runner_0?.shape).toEqual([2]);
    expect(env.spec).toEqual({ id: Race.id, max_episode_steps: 6, reward_threshold: null });
    expect(race({ max_episode_steps: 9 }).spec.max_episode_steps).toBe(9);
  });

  it("says so in its types for the names of particle worlds, and where the caller does", () => {
    const world = (id: ParallelEnvironmentId) => make(id);
    expectTypeOf(world).returns.toEqualTypeOf<NamedParallelEnvironment>();
    expectTypeOf("mpe2.simple_spread_v3" as const).toExtend<ParallelEnvironmentId>();
    const cart = make("CartPole-v1");
    expectTypeOf(cart).toEqualTypeOf<NamedEnvironment>();
    expect(cart.reset({ seed: 0 }).observation).toHaveLength(4);
    const own = make<"parallel">(Race.id);
    expectTypeOf(own).toEqualTypeOf<NamedParallelEnvironment>();
    expect(own.possible_agents).toHaveLength(2);
  });
});

describe("an episode of several agents", () => {
  it("gives each agent what is its own", () => {
    const env = race();
    const { observations, infos } = env.reset({ seed: 3 });
    const start = observations.glider_0?.[0] as number;
    expect(observations).toEqual({ runner_0: Float32Array.of(0, start), glider_0: Float32Array.of(start) });
    expect(infos).toEqual({ runner_0: {}, glider_0: {} });
    const step = env.step({ glider_0: [0.5, -1], runner_0: 5 });
    const place = step.observations.glider_0?.[0] as number;
    const wind = place - start + 0.5;
    expect(wind >= 0 && wind < 0.125).toBe(true);
    expect(step).toEqual({
      observations: { runner_0: Float32Array.of(-1, place), glider_0: Float32Array.of(place) },
      rewards: { runner_0: -1, glider_0: Math.fround(place - 1) },
      terminations: { runner_0: false, glider_0: false },
      truncations: { runner_0: false, glider_0: false },
      infos: { runner_0: {}, glider_0: {} },
    });
  });

  it("goes on without an agent whose task has ended, until it is cut off", () => {
    const env = race();
    env.reset({ seed: 3 });
    for (const _ of [1, 2])
      expect(env.step(CLIMB).terminations).toEqual({ runner_0: false, glider_0: false });
    const last = env.step(CLIMB);
    expect(last.terminations).toEqual({ runner_0: true, glider_0: false });
    expect(last.observations.runner_0?.[0]).toBe(3);
    expect(env.agents).toEqual(["glider_0"]);
    for (const _ of [4, 5]) {
      const { observations, rewards, terminations, truncations, infos } = env.step({ glider_0: [0, 0] });
      for (const record of [observations, rewards, terminations, truncations, infos])
        expect(Object.keys(record)).toEqual(["glider_0"]);
      expect(truncations).toEqual({ glider_0: false });
    }
    expect(env.step({ glider_0: [0, 0] })).toMatchObject({
      terminations: { glider_0: false },
      truncations: { glider_0: true },
    });
    expect(env.agents).toEqual([]);
    expect(() => env.step({})).toThrow("test/Race-v0: the episode has ended (truncated); call reset()");
    env.reset();
    expect(env.agents).toEqual(["runner_0", "glider_0"]);
  });

  it("ends when the task of each agent has ended", () => {
    const env = race();
    env.reset({ seed: 3 });
    for (const _ of [1, 2]) env.step({ runner_0: 6, glider_0: [-1, -1] });
    expect(env.agents).toEqual(["runner_0"]);
    expect(env.step({ runner_0: 6 })).toMatchObject({
      terminations: { runner_0: true },
      truncations: { runner_0: false },
    });
    expect(env.agents).toEqual([]);
    expect(() => env.step({})).toThrow("the episode has ended (terminated)");
  });

  it("goes on from a state, for those who take part in it", () => {
    const [a, b] = [race(), race()];
    for (const env of [a, b]) env.reset({ seed: 5 });
    for (const _ of [1, 2, 3]) a.step(CLIMB);
    for (const _ of [1, 2, 3]) b.step(FALL);
    expect([...b.getState()][0]).toBe(-3);
    b.setState(a.getState());
    expect(b.agents).toEqual(["runner_0", "glider_0"]);
    expect(b.step(CLIMB).observations.glider_0).toEqual(a.step({ glider_0: [0, 0] }).observations.glider_0);
    a.setState([0, 0]);
    expect(a.agents).toEqual(["glider_0"]);
    a.close();
    expect(() => a.setState([0, 0])).toThrow("test/Race-v0: the environment is closed");
    const fresh = race();
    fresh.setState([2, 0]);
    expect(fresh.step(CLIMB).terminations).toEqual({ runner_0: true, glider_0: false });
    expect(() => fresh.setState([Number.NaN, 0])).toThrow("allowed 2 finite numbers (height, place)");
  });

  it("is shown with the first agent's action", () => {
    const env = race();
    expect(() => env.render()).toThrow("render() was called before reset()");
    env.reset({ seed: 1 });
    env.step(CLIMB);
    expect(env.render()).toEqual({ id: Race.id, state: env.getState(), action: 6 });
  });
});

describe("actions of several agents", () => {
  const started = (): NamedParallelEnvironment => {
    const env = race();
    env.reset({ seed: 0 });
    return env;
  };

  it.each([
    [{ runner_0: 6 }, "actions.glider_0: found nothing, allowed 2 finite numbers"],
    [{ ...CLIMB, ghost: 1 }, "actions.ghost: found no such agent, allowed runner_0, glider_0"],
    [{ ...CLIMB, runner_0: 0 }, "actions.runner_0: found 0, allowed an integer from 5 to 6 (Discrete)"],
    [{ ...CLIMB, glider_0: [0, Number.NaN] }, "actions.glider_0: found [0, NaN], allowed 2 finite numbers"],
    [{ ...CLIMB, glider_0: [0] }, "actions.glider_0: found [0], allowed 2 finite numbers"],
    [{ ...CLIMB, glider_0: "up" }, 'actions.glider_0: found "up", allowed'],
    [6, "actions: found 6, allowed an object with an action of each agent: runner_0, glider_0"],
    [[6, 0, 0], "actions: found a list of 3, allowed an object"],
    [null, "actions: found null, allowed an object"],
  ])("%j are refused, and nothing moves", (actions, message) => {
    const env = started();
    const before = env.getState();
    // Input of a caller without type checks.
    expect(() => env.step(actions as unknown as typeof CLIMB)).toThrow(`test/Race-v0: ${message}`);
    expect(env.getState()).toEqual(before);
  });

  it("of an agent that has left are refused", () => {
    const env = started();
    for (const _ of [1, 2, 3]) env.step(CLIMB);
    expect(() => env.step(CLIMB)).toThrow(
      "actions.runner_0: found an action of an agent whose task has ended, allowed glider_0",
    );
    expect(() => race().step(CLIMB)).toThrow("step() was called before reset()");
  });

  it("may lie out of a Box's bounds", () => {
    const env = started();
    expect(env.step({ runner_0: Int32Array.of(6), glider_0: Float32Array.of(3, 0) }).rewards.runner_0).toBe(
      1,
    );
  });
});

describe("makeVector", () => {
  /** Actions of all lanes at a step. Some episodes end early, for one agent or both; others are truncated. */
  const actionsAt = (t: number): number[] => [
    ...[6, -1, -1],
    ...[6, 0, 0.25],
    ...[5 + (t % 2), -1, -1],
    ...[5 + ((t >> 1) % 2), 0.5, -0.5],
  ];

  it("goes through the same episodes as single environments", () => {
    const compiled = makeVector(Race.id, 4);
    const single = new SyncVectorEnvironment(Array.from({ length: 4 }, () => () => race()));
    expect(compiled.single_observation_space).toEqual(single.single_observation_space);
    expect(compiled.single_action_space).toEqual(single.single_action_space);
    expect(resetLanes(compiled, { seed: 8 }).observation).toEqual(single.reset({ seed: 8 }).observation);
    const seen = { alone: 0, together: 0, cut: 0 };
    for (let t = 0; t < 40; t++) {
      const [a, b] = [stepLanes(compiled, actionsAt(t)), single.step(actionsAt(t))];
      for (const field of ["observation", "reward", "terminated", "truncated", "final_observation"] as const)
        expect({ t, [field]: a[field] }).toEqual({ t, [field]: b[field] });
      for (let lane = 0; lane < 4; lane++) {
        const gone = a.terminated.subarray(lane * 2, lane * 2 + 2).filter(Boolean).length;
        if (gone === 2) seen.together++;
        else if (a.truncated[lane]) seen.cut++;
        else if (gone === 1) seen.alone++;
      }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
    expect(resetLanes(compiled).observation).toEqual(single.reset().observation);
  });

  it("keeps to zeros for agents that have left, and starts anew with all of them", () => {
    const env = makeVector(Race.id, 1);
    env.reset({ seed: 8 });
    for (const _ of [1, 2]) env.step([6, 0, 0]);
    const third = env.step([6, 0, 0]);
    expect([...third.reward].map((x) => x === 0)).toEqual([false, false]);
    expect([...third.terminated]).toEqual([1, 0]);
    expect([...third.observation.subarray(0, 2)]).toEqual([0, 0]);
    expect(third.final_observation).toEqual(third.observation);
    expect(third.observation[2]).not.toBe(0);
    const fourth = env.step([6, 0, 0]);
    expect([fourth.reward[0], ...fourth.terminated, ...fourth.truncated]).toEqual([0, 1, 0, 0]);
    // A reset during the episode brings the agent back.
    env.reset({ seed: 8 });
    expect([...env.step([6, 0, 0]).terminated]).toEqual([0, 0]);
  });

  it("cuts an episode off with what those see who go on", () => {
    const env = makeVector(Race.id, 1);
    env.reset({ seed: 8 });
    for (let t = 1; t < 6; t++) expect([...env.step([5 + (t % 2), 0, 0]).truncated]).toEqual([0]);
    const { truncated, terminated, final_observation, observation } = env.step([5, 0, 0]);
    expect([...truncated, ...terminated]).toEqual([1, 0, 0]);
    expect(final_observation[1]).toBe(final_observation[2]);
    expect(observation[2]).not.toBe(final_observation[2]);
  });

  it("names lane and agent of an action that does not fit", () => {
    const env = makeVector(Race.id, 2);
    env.reset({ seed: 8 });
    expect(() => env.step([6, 0, 0, 4, 0, 0])).toThrow(
      "test/Race-v0: actions[1].runner_0: found [4], allowed an integer from 5 to 6",
    );
    expect(() => env.step([6, 0, Number.NaN, 6, 0, 0])).toThrow(
      "actions[0].glider_0: found [0, NaN], allowed 2",
    );
    expect(() => env.step([6, 0, 0])).toThrow("actions: found 3 numbers, allowed 6 (2 lanes of 3)");
  });
});

describe("registerEnvironment", () => {
  it("refuses actions of other agents than observations", () => {
    const wrong = { ...Race, id: "test/Wrong-v0", action_space: new Discrete(2) };
    expect(() => registerEnvironment(wrong)).toThrow(
      "test/Wrong-v0: found actions of an integer from 0 to 1 (Discrete), allowed the agents of the observation space: runner_0, glider_0",
    );
    expect(() =>
      registerEnvironment({ ...wrong, action_space: Race.action_space, observation_space: new Discrete(2) }),
    ).toThrow("test/Wrong-v0: found actions of runner_0, glider_0, allowed a single-agent action space");
  });
});
