// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import { Pendulum, registerEnvironment } from "../../../../src/agents/index.ts";
import {
  findCompiledEnvironment,
  findEnvironment,
  listEnvironments,
  make,
} from "../../../../src/rl/environments.ts";

const ids = [
  "CartPole-v1",
  "Acrobot-v1",
  "MountainCar-v0",
  "MountainCarContinuous-v0",
  "Pendulum-v1",
] as const;
/** A valid action for each environment. */
const anAction = {
  "CartPole-v1": 1,
  "Acrobot-v1": 2,
  "MountainCar-v0": 0,
  "MountainCarContinuous-v0": [0.5],
  "Pendulum-v1": [0.5],
} as const;

describe("registry", () => {
  it("lists the classic environments", () => {
    expect(listEnvironments()).toEqual(expect.arrayContaining([...ids]));
  });

  it("names the nearest id for one that is unknown", () => {
    expect(() => findEnvironment("Cartpole-v0")).toThrow(
      /environment: unknown environment "Cartpole-v0"; did you mean "CartPole-v1"\? Nearest: CartPole-v1, [^,]+, [^,]+; all \d+: `rlkit list environments`/,
    );
    expect(() => make("Zaxxon")).toThrow(/unknown environment "Zaxxon"; nearest: [^,]+, [^,]+, [^,]+; all/);
  });

  it("takes another environment under a free id, and refuses one under an id in use", () => {
    const other = { ...Pendulum, id: "RegistryTest-v0", max_episode_steps: 3 };
    registerEnvironment(other);
    registerEnvironment(other);
    expect(make("RegistryTest-v0").spec.max_episode_steps).toBe(3);
    expect(() => registerEnvironment({ ...other })).toThrow(/"RegistryTest-v0" is already registered/);
  });
});

describe("facts of the environments", () => {
  it.each([
    ["CartPole-v1", 500, 475, 4, 2],
    ["Acrobot-v1", 500, -100, 6, 3],
    ["MountainCar-v0", 200, -110, 2, 3],
    ["MountainCarContinuous-v0", 999, 90, 2, null],
    ["Pendulum-v1", 200, null, 3, null],
  ])("%s", (id, limit, threshold, width, actions) => {
    const env = make(id);
    expect(env.spec).toEqual({ id, max_episode_steps: limit, reward_threshold: threshold });
    expect(env.observation_space.shape).toEqual([width]);
    expect(env.action_space.kind === "Discrete" ? env.action_space.n : null).toBe(actions);
  });

  it("Pendulum's action is a torque from -2 to 2", () => {
    const space = make("Pendulum-v1").action_space;
    expect(space.kind === "Box" && [space.shape, [...space.low], [...space.high]]).toEqual([[1], [-2], [2]]);
  });
});

describe("reset", () => {
  const valley = [
    [-0.6, -0.4],
    [0, 0],
  ] as const;
  const ranges: Record<(typeof ids)[number], readonly (readonly [number, number])[]> = {
    "CartPole-v1": Array.from({ length: 4 }, () => [-0.05, 0.05] as const),
    "Acrobot-v1": Array.from({ length: 4 }, () => [-0.1, 0.1] as const),
    "MountainCar-v0": valley,
    "MountainCarContinuous-v0": valley,
    "Pendulum-v1": [
      [-Math.PI, Math.PI],
      [-1, 1],
    ],
  };

  it.each(ids)("%s starts uniformly within its range", (id) => {
    const env = make(id);
    const states = Array.from({ length: 300 }, (_, seed) => {
      env.reset({ seed });
      return env.getState();
    });
    for (const [i, [low, high]] of ranges[id].entries()) {
      const values = states.map((state) => state[i] as number);
      expect(Math.min(...values)).toBeGreaterThanOrEqual(Math.fround(low));
      expect(Math.max(...values)).toBeLessThanOrEqual(Math.fround(high));
      const thirds = [0, 0, 0];
      for (const value of values) {
        const third = Math.min(2, Math.floor((3 * (value - low)) / (high - low || 1)));
        thirds[third] = (thirds[third] ?? 0) + 1;
      }
      expect(high === low || thirds.every((count) => Math.abs(count - 100) < 40)).toBe(true);
    }
  });

  it.each(ids)("%s repeats its episodes for a seed, and goes on without one", (id) => {
    const [a, b] = [make(id), make(id)];
    const episodes = (env: typeof a): Float32Array[] => [
      env.reset({ seed: 12 }).observation,
      env.step(anAction[id]).observation,
      env.reset().observation,
      env.reset().observation,
    ];
    const first = episodes(a);
    expect(episodes(b)).toEqual(first);
    expect(episodes(a)).toEqual(first);
    expect(first[2]).not.toEqual(first[0]);
    expect(first[3]).not.toEqual(first[2]);
    expect(make(id).reset({ seed: 13 }).observation).not.toEqual(first[0]);
  });

  it("takes entropy when it was never given a seed", () => {
    expect(make("CartPole-v1").reset().observation).not.toEqual(make("CartPole-v1").reset().observation);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 60])("refuses the seed %s", (seed) => {
    expect(() => make("CartPole-v1").reset({ seed })).toThrow(/seed: found .*, allowed integers from 0/);
  });

  it("refuses options it does not know", () => {
    expect(() => make("CartPole-v1").reset({ options: { low: -1 } })).toThrow(
      /reset\.options\.low is unknown/,
    );
  });
});

describe("step", () => {
  it("ends CartPole when the cart leaves the track or the pole falls, on either side, and not before", () => {
    const env = make("CartPole-v1");
    const end = (state: readonly number[]): boolean => {
      env.reset({ seed: 0 });
      env.setState(state);
      const { terminated, truncated, reward } = env.step(1);
      expect([truncated, reward]).toEqual([false, 1]);
      return terminated;
    };
    expect(end([2.39, 1, 0, 0])).toBe(true);
    expect(end([-2.39, -1, 0, 0])).toBe(true);
    expect(end([2.39, 0.4, 0, 0])).toBe(false);
    expect(end([0, 0, 0.2, 1])).toBe(true);
    expect(end([0, 0, -0.2, -1])).toBe(true);
    expect(end([0, 0, 0.2, 0.4])).toBe(false);
  });

  it("lets the pole of CartPole fall within 15 steps of pushing one way", () => {
    const env = make("CartPole-v1");
    env.reset({ seed: 1 });
    let steps = 1;
    while (!env.step(0).terminated) steps++;
    expect(steps).toBeGreaterThanOrEqual(8);
    expect(steps).toBeLessThan(15);
    expect(env.getState()[2]).toBeGreaterThan(0);
  });

  it("ends MountainCar at the flag only when the car stands or moves right", () => {
    const env = make("MountainCar-v0");
    const end = (state: readonly number[]): boolean => {
      env.reset({ seed: 0 });
      env.setState(state);
      const { terminated, reward } = env.step(1);
      expect(reward).toBe(-1);
      return terminated;
    };
    expect(end([0.48, 0.05])).toBe(true);
    expect(end([0.4, 0.05])).toBe(false);
    expect(end([0.58, -0.03])).toBe(false);
  });

  it("pays MountainCarContinuous 100 at its flag, less what the action costs, limited or not", () => {
    const env = make("MountainCarContinuous-v0");
    const after = (state: readonly number[], force: number) => {
      env.reset({ seed: 0 });
      env.setState(state);
      const { reward, terminated } = env.step([force]);
      return { reward, terminated, state: env.getState() };
    };
    expect(after([0.44, 0.03], 0)).toMatchObject({ reward: 100, terminated: true });
    expect(after([0.44, 0.03], 1).reward).toBeCloseTo(99.9, 4);
    expect(after([0.4, 0.03], 0)).toMatchObject({ reward: 0, terminated: false });
    const [hard, harder] = [after([-0.5, 0], 1), after([-0.5, 0], 3)];
    expect(harder.state).toEqual(hard.state);
    expect(hard.reward).toBeCloseTo(-0.1, 6);
    expect(harder.reward).toBeCloseTo(-0.9, 6);
  });

  it("stops the car of MountainCar at the left end", () => {
    const env = make("MountainCar-v0");
    env.reset({ seed: 0 });
    env.setState([-1.19, -0.07]);
    expect([...env.step(0).observation]).toEqual([Math.fround(-1.2), 0]);
  });

  it("ends Acrobot when the tip passes the line, with reward 0 for that step only", () => {
    const env = make("Acrobot-v1");
    env.reset({ seed: 0 });
    env.setState([Math.PI, 0, 0, 0]);
    expect(env.step(1)).toMatchObject({ terminated: true, reward: 0 });
    env.reset({ seed: 0 });
    expect(env.step(1)).toMatchObject({ terminated: false, reward: -1 });
  });

  it("clips Pendulum's torque and speed, and never ends it", () => {
    const env = make("Pendulum-v1");
    const after = (torque: number): readonly [ArrayLike<number>, number, boolean] => {
      env.reset({ seed: 0 });
      env.setState([1, 7.9]);
      const { reward, terminated } = env.step([torque]);
      return [env.getState(), reward, terminated];
    };
    expect(after(50)).toEqual(after(2));
    expect(after(2)[0][1]).toBe(8);
    expect(after(-50)[2]).toBe(false);
  });

  it.each([
    ["CartPole-v1", 2, /CartPole-v1: action: found 2, allowed an integer from 0 to 1 \(Discrete\)/],
    ["CartPole-v1", 0.5, /found 0.5/],
    ["CartPole-v1", -1, /found -1/],
    ["CartPole-v1", Number.NaN, /found NaN/],
    ["CartPole-v1", [0, 1], /found \[0, 1\]/],
    ["Pendulum-v1", [Number.NaN], /found \[NaN\], allowed 1 finite numbers \(Box of shape \[1\]\)/],
    ["Pendulum-v1", [1, 2], /found \[1, 2\]/],
    ["Pendulum-v1", [], /found \[\]/],
  ])("%s refuses the action %j and stays where it is", (id, action, message) => {
    const env = make(id);
    env.reset({ seed: 0 });
    const before = env.getState();
    expect(() => env.step(action)).toThrow(message);
    expect(env.getState()).toEqual(before);
  });

  it("takes a vector of one index and a plain torque as well", () => {
    const [cart, pendulum] = [make("CartPole-v1"), make("Pendulum-v1")];
    cart.reset({ seed: 0 });
    pendulum.reset({ seed: 0 });
    expect(cart.step(Int32Array.of(1)).reward).toBe(1);
    expect(pendulum.step(0.5).reward).toBeLessThan(0);
  });

  it("refuses to step before a reset, after an end and after closing", () => {
    const env = make("CartPole-v1");
    expect(() => env.step(0)).toThrow("CartPole-v1: step() was called before reset()");
    env.reset({ seed: 0 });
    while (!env.step(0).terminated);
    expect(() => env.step(0)).toThrow("CartPole-v1: the episode has ended (terminated); call reset()");
    env.reset();
    env.step(0);
    env.close();
    env.close();
    expect(() => env.step(0)).toThrow("CartPole-v1: the environment is closed");
    expect(() => env.reset()).toThrow("CartPole-v1: the environment is closed");
  });
});

describe("time limit", () => {
  it.each([
    ["CartPole-v1", 500],
    ["Acrobot-v1", 500],
    ["MountainCar-v0", 200],
    ["MountainCarContinuous-v0", 999],
    ["Pendulum-v1", 200],
  ] as const)("%s is cut off at step %i exactly", (id, limit) => {
    const env = make(id);
    env.reset({ seed: 3 });
    const rest = id.startsWith("MountainCar")
      ? [-0.5, 0]
      : findCompiledEnvironment(id).variables.map(() => 0);
    for (let t = 1; t < limit; t++) {
      env.setState(rest);
      const { terminated, truncated } = env.step(anAction[id]);
      expect({ t, terminated, truncated }).toEqual({ t, terminated: false, truncated: false });
    }
    expect(env.step(anAction[id])).toMatchObject({ terminated: false, truncated: true });
    expect(() => env.step(anAction[id])).toThrow(/the episode has ended \(truncated\)/);
    env.reset();
    expect(env.step(anAction[id]).truncated).toBe(false);
  });

  it("reports both when the task ends at the limit", () => {
    const env = make("CartPole-v1", { max_episode_steps: 1 });
    env.reset({ seed: 0 });
    env.setState([2.39, 1, 0, 0]);
    expect(env.step(1)).toMatchObject({ terminated: true, truncated: true });
  });

  it("refuses a limit that is no positive integer, and unknown options", () => {
    expect(() => make("CartPole-v1", { max_episode_steps: 0 })).toThrow(/max_episode_steps: found 0/);
    const options: Record<string, unknown> = { render_mode: "human" };
    expect(() => make("Acrobot-v1", options)).toThrow(/option "render_mode" is unknown/);
  });
});

describe("getState and setState", () => {
  it("resume an episode elsewhere with the same future", () => {
    const [a, b] = [make("Acrobot-v1"), make("Acrobot-v1")];
    a.reset({ seed: 4 });
    for (let t = 0; t < 10; t++) a.step(t % 3);
    b.setState(a.getState());
    for (let t = 0; t < 10; t++) expect(b.step(2).observation).toEqual(a.step(2).observation);
  });

  it("hand out copies", () => {
    const env = make("MountainCar-v0");
    env.reset({ seed: 4 });
    const state = env.getState();
    state.fill(9);
    expect(env.getState()[0]).toBeLessThan(0);
  });

  it("begin an episode where none is under way", () => {
    const env = make("CartPole-v1", { max_episode_steps: 2 });
    env.setState([2.39, 1, 0, 0]);
    expect(env.step(1).terminated).toBe(true);
    env.setState([0, 0, 0, 0]);
    expect(env.step(1).truncated).toBe(false);
    expect(env.step(1).truncated).toBe(true);
  });

  it.each([[[1, 2, 3]], [[0, 0, 0, Number.NaN]]])("refuse %j", (state) => {
    expect(() => make("CartPole-v1").setState(state)).toThrow(
      /CartPole-v1: state: found .* allowed 4 finite numbers \(x, x_dot, theta, theta_dot\)/,
    );
  });
});
