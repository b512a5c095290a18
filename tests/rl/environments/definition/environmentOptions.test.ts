/** Environments with options. */
import { describe, expect, it } from "vitest";
import { Acrobot, maskObservations, Pendulum } from "../../../../src/agents/index.ts";
import {
  drawEnvironment,
  findCompiledEnvironment,
  findEnvironment,
  loadEnvironment,
  make,
  makeVector,
} from "../../../../src/rl/environments.ts";
import type { EnvironmentOptions } from "../../../../src/rl/faces.ts";
import { recorder, size, theme } from "../../support/drawingRecorder.ts";

describe("an environment with options", () => {
  it("is itself without any, and one object for the same ones", () => {
    const plain = findEnvironment("FrozenLake-v1");
    expect(findEnvironment("FrozenLake-v1", {})).toBe(plain);
    expect(findEnvironment("FrozenLake-v1", null)).toBe(plain);
    expect(findEnvironment("FrozenLake-v1", { is_slippery: undefined })).toBe(plain);
    const first = findEnvironment("FrozenLake-v1", { is_slippery: false, map_name: "8x8" });
    expect(findEnvironment("FrozenLake-v1", { map_name: "8x8", is_slippery: false })).toBe(first);
    expect(first).not.toBe(plain);
    expect(first.options).toEqual({ is_slippery: false, map_name: "8x8" });
    expect(plain.options).toBeUndefined();
  });

  it("may have another time limit, whoever steps it", () => {
    const limits = ["CartPole-v1", "LunarLander-v3"].map((id) => {
      const { max_episode_steps } = findEnvironment(id, { max_episode_steps: 77 });
      return max_episode_steps;
    });
    expect(limits).toEqual([77, 77]);
  });

  it("is refused when it has no such option, with the ones that there are", () => {
    expect(() => findEnvironment("Acrobot-v1", { gravity: 9 })).toThrow(
      'Acrobot-v1: option "gravity" is unknown, allowed: max_episode_steps',
    );
    expect(() => findEnvironment("FrozenLake-v1", { slippery: true })).toThrow(
      /unknown key "slippery".*is_slippery/,
    );
    expect(() => findEnvironment("LunarLander-v3", { gravity: 1 })).toThrow(
      "LunarLander-v3.gravity: found 1",
    );
    expect(() => findEnvironment("LunarLander-v3", { max_episode_steps: 1.5 })).toThrow(
      "LunarLander-v3: max_episode_steps: found 1.5, allowed positive integers",
    );
    expect(() => findCompiledEnvironment("LunarLander-v3", { gravity: -5 })).toThrow(
      "cannot run as a tensor program",
    );
  });

  it("keeps its options when it is masked", () => {
    const slow = { ...Pendulum, withOptions: () => ({ ...Pendulum, reward_threshold: -5 }) };
    const masked = maskObservations(slow, [0, 1], "OptionsTest-masked-v0");
    expect(masked.withOptions?.({})).toMatchObject({
      id: "OptionsTest-masked-v0",
      reward_threshold: -5,
      observation_space: { shape: [2] },
    });
    expect(maskObservations(Acrobot, [0], "OptionsTest-masked-v1").withOptions).toBeUndefined();
  });
});

/** Result of a step from a state, in an environment with options. */
function stepped(
  id: string,
  options: EnvironmentOptions,
  state: readonly number[],
  action: number | number[],
) {
  const env = make(id, options);
  env.reset({ seed: 3 });
  env.setState(state);
  const { reward, terminated } = env.step(typeof action === "number" ? action : Float32Array.from(action));
  return { reward, terminated, state: Array.from(env.getState()) };
}

describe("classic control with options", () => {
  it("has a pendulum under another gravity", () => {
    // theta'' = 3 g / (2 l) sin(theta) + 3 u / (m l^2), over 0.05 s.
    const [theta, g] = [0.5, 3.5];
    const { state } = stepped("Pendulum-v1", { g }, [theta, 0], [1]);
    const speed = ((3 * g) / 2) * Math.sin(theta) * 0.05 + 3 * 0.05;
    expect(state[1]).toBeCloseTo(speed, 5);
    expect(state[0]).toBeCloseTo(theta + 0.05 * speed, 5);
  });

  it("rewards the pole's balance as Sutton and Barto do", () => {
    const options = { sutton_barto_reward: true };
    expect(stepped("CartPole-v1", options, [0, 0, 0, 0], 1)).toMatchObject({ reward: 0, terminated: false });
    expect(stepped("CartPole-v1", options, [2.39, 3, 0, 0], 1)).toMatchObject({
      reward: -1,
      terminated: true,
    });
  });

  it.each([
    ["MountainCar-v0", 2, 0.499],
    ["MountainCarContinuous-v0", [1], 0.449],
  ] as const)("asks for a velocity at the flag in %s", (id, action, position) => {
    const end = (goal_velocity: number) =>
      stepped(id, { goal_velocity }, [position, 0.02], typeof action === "number" ? action : [...action]);
    expect(end(0.01).terminated).toBe(true);
    expect(end(0.03).terminated).toBe(false);
  });

  it("refuses what is no number", () => {
    expect(() => make("Pendulum-v1", { g: "low" })).toThrow(/Pendulum-v1\.g: expected a number, found "low"/);
  });
});

describe("toy text with options", () => {
  it("slips on the cliff's edge to either side in a third of the steps each", () => {
    const lanes = 3000;
    const env = makeVector("CliffWalking-v1", lanes, { is_slippery: true });
    env.reset({ seed: 5 });
    // The action is "up" from the start in the lower left corner. Slipping right leads over the cliff, back
    // to the start.
    const { reward, observation } = env.step(new Int32Array(lanes).fill(0));
    const share = (of: (lane: number) => boolean) =>
      Array.from({ length: lanes }, (_, lane) => of(lane)).filter(Boolean).length / lanes;
    expect(share((lane) => observation[lane] === 24)).toBeCloseTo(1 / 3, 1);
    expect(share((lane) => reward[lane] === -100)).toBeCloseTo(1 / 3, 1);
    expect(share((lane) => reward[lane] === -1 && observation[lane] === 36)).toBeCloseTo(1 / 3, 1);
  });

  it("counts an ace and a ten by the rules that are asked for", () => {
    // State: player_sum, player_ace, player_cards, dealer_card, dealer_sum, dealer_ace.
    const natural = [11, 1, 2, 10, 20, 0];
    const drawn = [21, 0, 3, 10, 20, 0];
    const tie = [11, 1, 2, 10, 11, 1];
    const rewards = (options: EnvironmentOptions) =>
      [natural, drawn, tie].map((state) => stepped("Blackjack-v1", options, state, 0).reward);
    expect(rewards({})).toEqual([1, 1, 0]);
    expect(rewards({ natural: true })).toEqual([1, 1, 0]);
    expect(rewards({ sab: false })).toEqual([1, 1, 0]);
    expect(rewards({ sab: false, natural: true })).toEqual([1.5, 1, 0]);
  });
});

describe("LunarLander with options", () => {
  it("has the actions that its throttles ask for", async () => {
    expect(findEnvironment("LunarLander-v3").action_space.kind).toBe("Discrete");
    expect(findEnvironment("LunarLander-v3", { continuous: true }).action_space.kind).toBe("Box");
    expect(findEnvironment("LunarLander-v3", { gravity: -3 }).action_space.kind).toBe("Discrete");
    expect(findEnvironment("LunarLanderContinuous-v3", { gravity: -3 }).action_space.kind).toBe("Box");
    await loadEnvironment("LunarLanderContinuous-v3");
    const lanes = makeVector("LunarLanderContinuous-v3", 2, { gravity: -3, max_episode_steps: 9 });
    expect(lanes.single_action_space.kind).toBe("Box");
    expect(lanes.spec?.max_episode_steps).toBe(9);
    lanes.close();
  });
});

const [LEFT, DOWN, RIGHT] = [0, 1, 2];

describe("FrozenLake with options", () => {
  it("leads where one goes on ice that is not slippery", () => {
    const env = make("FrozenLake-v1", { is_slippery: false });
    for (const seed of [1, 2, 3]) {
      env.reset({ seed });
      const seen = [DOWN, DOWN, RIGHT, RIGHT, DOWN, RIGHT].map((action) => env.step(action));
      expect(seen.map(({ observation }) => observation[0])).toEqual([4, 8, 9, 10, 14, 15]);
      expect(seen.at(-1)).toMatchObject({ reward: 1, terminated: true });
    }
  });

  it("has the map that is named, or one of the caller's own with its start, holes and goals", () => {
    expect(findEnvironment("FrozenLake-v1", { map_name: "8x8" }).observation_space).toMatchObject({ n: 64 });
    expect(findEnvironment("FrozenLake8x8-v1", { map_name: "4x4" }).observation_space).toMatchObject({
      n: 16,
    });
    const env = make("FrozenLake-v1", { desc: ["GFS", "FFH"], map_name: "8x8", is_slippery: false });
    expect([...env.reset({ seed: 1 }).observation]).toEqual([2]);
    expect(env.step(LEFT)).toMatchObject({ terminated: false, reward: 0 });
    expect(env.step(LEFT)).toMatchObject({ terminated: true, reward: 1 });
    env.reset();
    expect(env.step(DOWN)).toMatchObject({ terminated: true, reward: 0 });
  });

  it("needs no hole", () => {
    const env = make("FrozenLake-v1", { desc: ["SG"], is_slippery: false });
    env.reset({ seed: 1 });
    expect(env.step(RIGHT)).toMatchObject({ terminated: true, reward: 1 });
  });

  it.each([
    [["SFX", "FFG"], "desc[0]: must be a row of the letters S, F, H and G"],
    [["SF", "FFG"], "desc: has rows of different lengths"],
    [["FF", "FG"], "desc: has 0 starts (S); must have one"],
    [["SS", "FG"], "desc: has 2 starts (S); must have one"],
    [["SF"], "desc: has no goal (G)"],
    [[], "desc: found []; must have at least 1 items"],
    ["SG", "desc: expected a list"],
  ])("refuses the map %j", (desc, message) => {
    expect(() => make("FrozenLake-v1", { desc })).toThrow(`FrozenLake-v1.${message}`);
  });

  it("is drawn with its own map", () => {
    const cells = (options: EnvironmentOptions) => {
      const { context, calls } = recorder();
      drawEnvironment("FrozenLake-v1", options)?.(context, [0, 0], null, size, theme);
      return calls.filter(({ name }) => name === "roundRect").length;
    };
    expect(cells({ desc: ["SFG", "FFF"], is_slippery: false })).toBe(6);
    expect(cells({ map_name: "8x8", max_episode_steps: 5 })).toBe(64);
    expect(cells({})).toBe(16);
  });
});
