import { describe, expect, it } from "vitest";
import { isVectorEnvironment } from "../../../../src/agents/index.ts";
import { make, makeVector } from "../../../../src/rl/environments.ts";
import { type HostEnvironment, SyncVectorEnvironment } from "../../../../src/rl/faces.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";

/** Counts its steps from a start that depends on the seed, and ends on demand. */
class Counter implements HostEnvironment {
  readonly observation_space = new Box({ low: -Infinity, high: Infinity, shape: [2] });
  readonly action_space: Discrete;
  closed = false;
  #episode = 0;
  #value = 0;

  constructor(actions = 3) {
    this.action_space = new Discrete(actions);
  }

  reset({ seed }: { readonly seed?: number } = {}) {
    if (seed !== undefined) this.#episode = seed * 10;
    this.#episode++;
    this.#value = 0;
    return { observation: [this.#episode, 0], info: { fresh: true } };
  }

  step(action: number | ArrayLike<number>) {
    this.#value++;
    return {
      observation: [this.#episode, this.#value],
      reward: this.#value,
      terminated: action === 1,
      truncated: action === 2,
      info: { value: this.#value },
    };
  }

  close(): void {
    this.closed = true;
  }
}

describe("SyncVectorEnvironment", () => {
  it("resets lanes that end and keeps their last observation and info", () => {
    const env = new SyncVectorEnvironment([() => new Counter(), () => new Counter(), () => new Counter()]);
    const start = env.reset({ seed: 4 });
    expect([...start.observation]).toEqual([41, 0, 51, 0, 61, 0]);
    expect(start.info).toEqual([{ fresh: true }, { fresh: true }, { fresh: true }]);
    const step = env.step([0, 1, 2]);
    expect([...step.final_observation]).toEqual([41, 1, 51, 1, 61, 1]);
    expect([...step.observation]).toEqual([41, 1, 52, 0, 62, 0]);
    expect([...step.terminated]).toEqual([0, 1, 0]);
    expect([...step.truncated]).toEqual([0, 0, 1]);
    expect([...step.reward]).toEqual([1, 1, 1]);
    expect(step.info).toEqual([{ value: 1 }, { fresh: true }, { fresh: true }]);
    expect(step.final_info).toEqual([{ value: 1 }, { value: 1 }, { value: 1 }]);
  });

  it("leaves lanes alone that nobody wants", () => {
    const env = new SyncVectorEnvironment([() => new Counter(), () => new Counter()]);
    env.reset({ seed: 4 });
    env.step([0, 0], Uint8Array.of(0, 1));
    const { observation, info } = env.step([0, 0]);
    expect([...observation]).toEqual([41, 1, 51, 2]);
    expect(info).toEqual([{ value: 1 }, { value: 2 }]);
  });

  it("refuses actions that do not fit, naming the lane", () => {
    const env = new SyncVectorEnvironment([() => new Counter(), () => new Counter()]);
    env.reset();
    expect(() => env.step([0, 3])).toThrow(
      "actions[1]: found [3], allowed an integer from 0 to 2 (Discrete)",
    );
    expect(() => env.step([0])).toThrow("actions: found 1 numbers, allowed 2 (2 lanes of 1)");
  });

  it("refuses lanes of different spaces, no lane, and observations of another size", () => {
    expect(() => new SyncVectorEnvironment([() => new Counter(2), () => new Counter(3)])).toThrow(
      /environments\[1\]\.action_space: found .*"n":3.* allowed the space of the first environment, .*"n":2/,
    );
    expect(() => new SyncVectorEnvironment([])).toThrow("num_envs: found 0");
    const wrong = Object.assign(new Counter(), { reset: () => ({ observation: [1], info: {} }) });
    expect(() => new SyncVectorEnvironment([() => wrong]).reset()).toThrow(
      "Counter: env.reset() of lane 0: observation: found 1 number, allowed 2 finite numbers",
    );
  });

  it("closes its environments", () => {
    const lane = new Counter();
    new SyncVectorEnvironment([() => lane]).close();
    expect(lane.closed).toBe(true);
  });
});

describe("makeVector", () => {
  it.each([
    ["CartPole-v1", 0, true],
    ["Pendulum-v1", 2, false],
  ])("%s goes through the same episodes as single environments", (id, steady, falls) => {
    const num_envs = 3;
    const options = { max_episode_steps: 13 };
    const compiled = makeVector(id, num_envs, options);
    const single = new SyncVectorEnvironment(Array.from({ length: num_envs }, () => () => make(id, options)));
    expect(compiled.reset({ seed: 21 }).observation).toEqual(single.reset({ seed: 21 }).observation);
    const ends = { terminated: 0, truncated: 0 };
    for (let t = 0; t < 45; t++) {
      // One lane repeats its action, so that its pole falls; the others alternate.
      const actions = [steady, t % 2, (t + 1) % 2];
      const [a, b] = [compiled.step(actions), single.step(actions)];
      expect(a).toEqual(b);
      ends.terminated += a.terminated.filter(Boolean).length;
      ends.truncated += a.truncated.filter(Boolean).length;
    }
    expect(ends.truncated).toBeGreaterThan(0);
    expect(ends.terminated > 0).toBe(falls);
    expect(compiled.reset().observation).toEqual(single.reset().observation);
  });

  it("refuses to step before a reset and after closing, and lanes that are no positive integer", () => {
    const env = makeVector("CartPole-v1", 2);
    expect(() => env.step([0, 0])).toThrow("CartPole-v1: step() was called before reset()");
    env.close();
    env.close();
    expect(() => env.reset()).toThrow("CartPole-v1: the environment is closed");
    expect(() => makeVector("CartPole-v1", 0)).toThrow("num_envs: found 0, allowed positive integers");
  });

  it("names the lane of an action that does not fit", () => {
    const env = makeVector("CartPole-v1", 2);
    env.reset({ seed: 0 });
    expect(() => env.step([0, 2])).toThrow("CartPole-v1: actions[1]: found [2]");
  });
});

describe("isVectorEnvironment", () => {
  it("tells vectorised environments from single ones", () => {
    expect(isVectorEnvironment(makeVector("CartPole-v1", 1))).toBe(true);
    expect(isVectorEnvironment(new SyncVectorEnvironment([() => new Counter()]))).toBe(true);
    expect(isVectorEnvironment(make("CartPole-v1"))).toBe(false);
  });
});
