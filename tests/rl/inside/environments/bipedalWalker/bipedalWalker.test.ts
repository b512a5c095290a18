import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { NamedEnvironment } from "../../../../../src/agents/index.ts";
import { Random } from "../../../../../src/evolution/random.ts";
import {
  BOX_NUMBERS,
  GOAL_X,
  MOST_BOXES,
  STATE,
  STATE_SIZE,
  TERRAIN_HEIGHT,
  TERRAIN_POINTS,
  TERRAIN_STEP,
} from "../../../../../src/rl/environments/bipedalWalker/geometry.ts";
import { drawTerrain } from "../../../../../src/rl/environments/bipedalWalker/terrain.ts";
import { loadEnvironment, make } from "../../../../../src/rl/environments.ts";
import { walker } from "../../../environments/bipedalWalker/heuristic.ts";

const PLAIN = "BipedalWalker-v3";
const HARDCORE = "BipedalWalkerHardcore-v3";
const IDLE = [0, 0, 0, 0];

beforeAll(async () => {
  await Promise.all([PLAIN, HARDCORE].map(loadEnvironment));
});

/** Plays an episode. @returns its return and where the hull ended. */
function play(env: NamedEnvironment, seed: number, policy: (observation: Float32Array) => number[]) {
  let { observation } = env.reset({ seed });
  for (let total = 0; ; ) {
    const step = env.step(policy(observation));
    total += step.reward;
    observation = step.observation;
    if (step.terminated || step.truncated) return { total, x: env.getState()[0] ?? 0 };
  }
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const sizes = (state: ArrayLike<number>): number[] => Array.from(state).slice(STATE.boxes);

/** A state of an environment after its reset, with the walker moved along and up. */
function moved(env: NamedEnvironment, { x = 0, y = 0 }): Float32Array {
  env.reset({ seed: 1 });
  const state = Float32Array.from(env.getState());
  for (let body = 0; body < 5; body++) {
    state[6 * body] = (state[6 * body] ?? 0) + x;
    state[6 * body + 1] = (state[6 * body + 1] ?? 0) + y;
  }
  return state;
}

describe.each([PLAIN, HARDCORE])("%s", (id) => {
  it("repeats its episodes by seed, and only those", () => {
    const [a, b] = [make(id), make(id)];
    const trace = (env: NamedEnvironment): number[][] =>
      [...Array(20).keys()].map(() => {
        const { observation, reward } = env.step([0.3, -0.7, 1, 0.1]);
        return [...observation, reward];
      });
    const first = [a.reset({ seed: 4 }), trace(a), a.reset(), trace(a)];
    expect([b.reset({ seed: 4 }), trace(b), b.reset(), trace(b)]).toEqual(first);
    expect(first[2]).not.toEqual(first[0]);
    expect(b.reset({ seed: 5 })).not.toEqual(first[0]);
  });

  it("starts level, with both feet on a level start", () => {
    const env = make(id);
    const { observation } = env.reset({ seed: 3 });
    expect(Math.abs(observation[0] ?? 1)).toBeLessThan(0.01);
    expect([observation[8], observation[13]]).toEqual([1, 1]);
    const heights = [...env.getState().slice(STATE.heights, STATE.heights + 20)];
    for (const height of heights) expect(height).toBeCloseTo(TERRAIN_HEIGHT, 3);
  });
});

describe("a controller", () => {
  it("that Gymnasium publishes walks as far in 300 steps as there", () => {
    const env = make(PLAIN, { max_episode_steps: 300 });
    const ends = [...Array(5).keys()].map((seed) => play(env, seed, walker()).x);
    // Gymnasium, over 40 episodes: 16.7 m, with a standard deviation of 0.8 m.
    expect(Math.abs(mean(ends) - 16.7)).toBeLessThan(1.2);
  });

  it.each([PLAIN, HARDCORE])("that acts at random falls, with a return of about -100, in %s", (id) => {
    const env = make(id, { max_episode_steps: 300 });
    const random = new Random({ seed: 1, stream: "test.actions" });
    const policy = (): number[] => IDLE.map(() => 2 * random.uniform() - 1);
    const totals = [...Array(4).keys()].map((seed) => play(env, seed, policy).total);
    // Gymnasium, over 40 episodes: -99 and -110.
    expect(Math.min(...totals)).toBeGreaterThan(-150);
    expect(Math.min(...totals)).toBeLessThan(-90);
  });
});

describe("terrain", () => {
  const count = 300;
  const drawn = (hardcore: boolean) =>
    [...Array(count).keys()].map((seed) => drawTerrain(hardcore, new Random({ seed, stream: "terrain" })));

  it("rolls as much as Gymnasium's, and has no boxes", () => {
    const all = drawn(false);
    expect(all.every(({ boxes }) => boxes.length === 0)).toBe(true);
    const ends = all.map(({ heights }) => (heights.at(-1) ?? 0) - TERRAIN_HEIGHT);
    expect(Math.abs(mean(ends))).toBeLessThan(0.03);
    // Gymnasium, over 400 terrains: 0.138 and 0.0284.
    expect(Math.abs(Math.sqrt(mean(ends.map((end) => end * end))) - 0.138)).toBeLessThan(0.02);
    const rough = all.map(({ heights }) => {
      const slopes = heights.slice(1).map((height, i) => height - (heights[i] ?? 0));
      return Math.sqrt(mean(slopes.map((slope) => slope * slope)) - mean(slopes) ** 2);
    });
    expect(Math.abs(mean(rough) - 0.0284)).toBeLessThan(0.001);
  });

  it("has as many stumps, stairs and pits as Gymnasium's in the hardcore version", () => {
    const boxes = drawn(true).flatMap((terrain) => terrain.boxes);
    const counted = (width: number, height: number): number =>
      boxes.filter((box) => Math.abs(box.width - width) < 1e-9 && Math.abs(box.height - height) < 1e-9)
        .length / count;
    const step = TERRAIN_STEP;
    // Gymnasium, over 400 terrains: 4.5 stumps, 15.5 stairs and 9.0 boxes of pits each.
    expect(Math.abs(counted(step, step) + counted(2 * step, 2 * step) - 4.5)).toBeLessThan(0.4);
    expect(Math.abs(counted(4 * step, step) - 15.5)).toBeLessThan(1.2);
    expect(Math.abs(counted(step, 4 * step) - 9)).toBeLessThan(0.8);
  });

  it("never has more boxes than a state holds", () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (stream) => {
          const uniform = (): number => stream.next().value ?? 0;
          const { heights, boxes } = drawTerrain(true, {
            uniform,
            integer: (n) => Math.floor(uniform() * n),
          });
          expect(heights).toHaveLength(TERRAIN_POINTS);
          expect(boxes.length).toBeLessThanOrEqual(MOST_BOXES);
        },
      ),
    );
    // The most are drawn where sections are short and obstacles are those with the most boxes for each point.
    for (const obstacle of [0, 1, 2]) {
      const integer = (n: number): number => (n === 3 ? obstacle : 0);
      expect(drawTerrain(true, { uniform: () => 0, integer }).boxes.length).toBeLessThanOrEqual(MOST_BOXES);
    }
  });
});

describe("an episode", () => {
  it("ends with -100 when the hull touches the ground", () => {
    const env = make(PLAIN);
    const state = moved(env, { y: 0.3 });
    state[2] = Math.PI;
    for (let body = 1; body < 5; body++)
      state[6 * body + 1] = 2 * (state[1] ?? 0) - (state[6 * body + 1] ?? 0);
    for (let body = 1; body < 5; body++) state[6 * body + 2] = Math.PI + (state[6 * body + 2] ?? 0);
    state[1] = (state[1] ?? 0) - 2;
    for (let body = 1; body < 5; body++) state[6 * body + 1] = (state[6 * body + 1] ?? 0) - 2;
    env.setState(state);
    let step = env.step(IDLE);
    for (let t = 0; t < 60 && !step.terminated; t++) step = env.step(IDLE);
    expect(step).toMatchObject({ terminated: true, truncated: false, reward: -100 });
    expect(() => env.step(IDLE)).toThrow("BipedalWalker-v3: the episode has ended (terminated)");
  });

  it("ends with -100 left of the terrain, and with the step's own reward at the far end", () => {
    const env = make(PLAIN);
    env.setState(moved(env, { x: -4.9 }));
    expect(env.step(IDLE)).toMatchObject({ terminated: true, reward: -100 });
    env.setState(moved(env, { x: GOAL_X - 4.5, y: 0.5 }));
    const end = env.step(IDLE);
    expect(end.terminated).toBe(true);
    expect(Math.abs(end.reward)).toBeLessThan(5);
  });

  it("is cut off by its time limit", () => {
    const env = make(PLAIN, { max_episode_steps: 3 });
    env.reset({ seed: 0 });
    expect([1, 2, 3].map(() => env.step(IDLE).truncated)).toEqual([false, false, true]);
    expect(make(PLAIN).spec).toEqual({ id: PLAIN, max_episode_steps: 1600, reward_threshold: 300 });
    expect(make(HARDCORE).spec).toEqual({ id: HARDCORE, max_episode_steps: 2000, reward_threshold: 300 });
  });
});

describe("a step", () => {
  const action = fc.array(fc.double({ min: -1.5, max: 1.5, noNaN: true }), { minLength: 4, maxLength: 4 });

  it("rewards the gain of the published potential, less torque", () => {
    const potential = (env: NamedEnvironment): number => {
      const [x = 0, , angle = 0] = env.getState();
      return (130 * x) / 30 - 5 * Math.abs(angle);
    };
    fc.assert(
      fc.property(fc.nat(), fc.array(action, { minLength: 1, maxLength: 30 }), (seed, actions) => {
        const env = make(PLAIN);
        env.reset({ seed });
        for (const efforts of actions) {
          const before = potential(env);
          const { reward, terminated } = env.step(efforts);
          if (terminated) return;
          const torque = efforts.reduce((sum, effort) => sum + 0.028 * Math.min(1, Math.abs(effort)), 0);
          expect(reward).toBeCloseTo(potential(env) - before - torque, 3);
        }
      }),
      { numRuns: 10 },
    );
  });

  it("observes motion, joints, feet and distances in the published scales", () => {
    const env = make(PLAIN);
    env.reset({ seed: 2 });
    let { observation } = env.step(IDLE);
    for (let t = 0; t < 30; t++) observation = env.step([1, -0.5, -1, 0.5]).observation;
    const state = env.getState();
    const [, , angle = 0, vx = 0, vy = 0, turn = 0] = state;
    const body = (index: number, number: number): number => state[6 * index + number] ?? 0;
    expect(observation[0]).toBeCloseTo(angle, 5);
    expect(observation[1]).toBeCloseTo((2 * turn) / 50, 5);
    expect(observation[2]).toBeCloseTo((0.3 * vx * 20) / 50, 5);
    expect(observation[3]).toBeCloseTo((0.3 * vy * 40) / 3 / 50, 5);
    for (const [first, upper, side] of [
      [4, 1, -1],
      [9, 3, 1],
    ] as const) {
      // A hip's angle counts from the leg's angle at the start, 0.05 rad to its side.
      expect(observation[first]).toBeCloseTo(body(upper, 2) - angle - 0.05 * side, 4);
      expect(observation[first + 1]).toBeCloseTo((body(upper, 5) - turn) / 4, 4);
      expect(observation[first + 2]).toBeCloseTo(body(upper + 1, 2) - body(upper, 2) + 1, 4);
      expect(observation[first + 3]).toBeCloseTo((body(upper + 1, 5) - body(upper, 5)) / 6, 4);
    }
    expect([...observation.slice(14)]).toEqual([...state.slice(STATE.lidar, STATE.lidar + 10)]);
  });

  it("measures level ground with ten rays, up to 160 / 30 m", () => {
    const env = make(PLAIN);
    const state = moved(env, { y: 0.5 });
    state.fill(TERRAIN_HEIGHT, STATE.heights, STATE.boxes);
    env.setState(state);
    const rays = [...env.step(IDLE).observation.slice(14)];
    const above = (env.getState()[1] ?? 0) - TERRAIN_HEIGHT;
    for (const [i, fraction] of rays.entries())
      expect(fraction).toBeCloseTo(Math.min(1, above / Math.cos(0.15 * i) / (160 / 30)), 4);
  });

  it("clips efforts, and refuses actions that are none and steps before a reset", () => {
    const [a, b] = [make(PLAIN), make(PLAIN)];
    expect(() => a.step(IDLE)).toThrow("BipedalWalker-v3: step() was called before reset()");
    for (const env of [a, b]) env.reset({ seed: 0 });
    expect(a.step([7, -7, 0.5, -1])).toEqual(b.step([1, -1, 0.5, -1]));
    expect(() => a.step([0, 0, 0])).toThrow(/^BipedalWalker-v3: action: found \[0, 0, 0\]/);
    expect(() => a.step([0, 0, 0, Number.NaN])).toThrow(/^BipedalWalker-v3: action: found/);
    expect(() => a.reset({ options: { hardcore: true } })).toThrow("reset.options.hardcore is unknown");
  });
});

describe("getState and setState", () => {
  it.each([PLAIN, HARDCORE])("repeat a step in %s", (id) => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(40), (seed, length) => {
        const env = make(id);
        env.reset({ seed });
        const random = new Random({ seed });
        for (let t = 0; t < length; t++)
          if (env.step(IDLE.map(() => 2 * random.uniform() - 1)).terminated) return;
        const state = env.getState();
        env.setState(state);
        expect(env.getState()).toEqual(state);
        const first = env.step([0.5, -0.5, 1, 0]);
        env.setState(state);
        expect(env.step([0.5, -0.5, 1, 0])).toEqual(first);
      }),
      { numRuns: 6 },
    );
  });

  it("keep the obstacles, in an environment of the other id too", () => {
    const [hardcore, plain] = [make(HARDCORE), make(PLAIN)];
    hardcore.reset({ seed: 1 });
    const state = hardcore.getState();
    expect(sizes(state).filter((number) => number > 0).length).toBeGreaterThan(20 * BOX_NUMBERS);
    plain.setState(state);
    expect(sizes(plain.getState())).toEqual(sizes(state));
  });

  it("refuse states of another size and numbers that are not finite", () => {
    const env = make(PLAIN);
    expect(() => env.setState([1, 2])).toThrow(`allowed ${STATE_SIZE} finite numbers`);
    expect(() => env.setState(new Float32Array(STATE_SIZE).fill(Number.NaN))).toThrow("finite numbers");
  });
});

describe("options", () => {
  it("give the plain name obstacles", () => {
    const env = make(PLAIN, { hardcore: true });
    env.reset({ seed: 1 });
    expect(Math.max(...sizes(env.getState()))).toBeGreaterThan(0);
    env.reset({ seed: 1 });
    const plain = make(HARDCORE, { hardcore: false });
    plain.reset({ seed: 1 });
    expect(Math.max(...sizes(plain.getState()))).toBe(0);
  });

  it.each([
    [{ hardcore: 1 }, "BipedalWalker-v3.hardcore"],
    [{ gravity: -10 }, "gravity"],
    [{ max_episode_steps: 0 }, "BipedalWalker-v3: max_episode_steps: found 0"],
  ])("%j is refused", (options, place) => {
    expect(() => make(PLAIN, options)).toThrow(place);
  });
});
