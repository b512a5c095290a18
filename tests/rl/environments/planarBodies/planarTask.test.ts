// @apart: it registers what the library does not have.
/** The language of planar bodies: tables become environments, and wrong tables are refused by field. */
import { describe, expect, it } from "vitest";
import {
  findEnvironment,
  make,
  makeVector,
  type PlanarBody,
  type PlanarTask,
  planarTask,
  registerEnvironment,
} from "../../../../src/rl/environments.ts";
import { type Call, recorder, size, theme } from "../../support/drawingRecorder.ts";

const limb = [{ from: [0, 0], to: [0.4, 0], radius: 0.05 }] as const;

const body: PlanarBody = {
  trunk: { height: 0.06, capsules: [{ from: [-0.4, 0], to: [0, 0], radius: 0.05 }] },
  parts: [
    { name: "tail", at: [0, 0], gear: 20, range: [-1, 1], damping: 0.5, capsules: limb },
    { name: "tip", parent: "tail", at: [0.4, 0], stiffness: 5, capsules: limb },
  ],
};

const task: PlanarTask = { id: "mine/Inchworm-v0", body, frame_skip: 5, ctrl_cost_weight: 0.5 };

function drawn(state: readonly number[]): Call[] {
  const { context, calls } = recorder();
  planarTask(task).draw?.(context, state, null, size, theme);
  return calls;
}

const still = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

describe("a table of a body", () => {
  it("becomes an environment with a number for each motor and for each coordinate", () => {
    registerEnvironment(planarTask(task));
    const env = make(task.id, { max_episode_steps: 3 });
    expect(env.action_space).toMatchObject({ shape: [1] });
    const { observation } = env.reset({ seed: 1 });
    expect(observation).toHaveLength(9);
    expect(Array.from(observation).every((value) => Math.abs(value) <= 0.005)).toBe(true);
    env.setState(still);
    const { reward, terminated, truncated } = env.step([1]);
    expect([terminated, truncated]).toEqual([false, false]);
    // The cost of the action, and what the body moved in a hundredth of a second.
    const [x = Number.NaN, , , tail = Number.NaN] = env.getState();
    expect(reward).toBeCloseTo(-0.5 + x / 0.01, 3);
    expect(tail).toBeGreaterThan(0);
  });

  it("plays with options, which replace the task's numbers", () => {
    const env = make(task.id, {
      ...{ frame_skip: 1, ctrl_cost_weight: 0, healthy_reward: 2, healthy_z_range: [-1, 1] },
      ...{ reset_noise_scale: 0, exclude_current_positions_from_observation: false },
    });
    expect(Array.from(env.reset({ seed: 3 }).observation)).toEqual(still);
    expect(env.step([0]).reward).toBeCloseTo(2, 3);
    env.setState(still.with(1, 3));
    expect(env.step([0])).toMatchObject({ terminated: true });
    expect(() => make(task.id, { healthy_reward: "much" })).toThrow("healthy_reward");
    expect(() => make(task.id, { jump: 1 })).toThrow("jump");
  });

  it.each([
    ["parts[1].parent", { parts: [body.parts[0], { ...body.parts[1], parent: "nose" }] }, "trunk, tail"],
    ["parts[1].name", { parts: [body.parts[0], { ...body.parts[1], name: "tail" }] }, "taken"],
    ["parts[0].range", { parts: [{ ...body.parts[0], range: [1, -1] }] }, "lower"],
    ["parts[0].mass", { parts: [{ ...body.parts[0], mass: 3 }] }, "mass"],
    ["parts", { parts: [{ ...body.parts[0], gear: undefined }] }, "gear"],
    ["trunk.capsules[0].radius", { trunk: { capsules: [{ from: [0, 0], to: [1, 0], radius: 0 }] } }, "0"],
    ["total_mass", { total_mass: 0 }, "0"],
    ["time_step", { time_step: Number.NaN }, "NaN"],
  ])("is refused at %s", (place, change, told) => {
    // The changes are mistakes, which the type of a body rules out.
    const wrong = { ...task, body: { ...body, ...change } as unknown as PlanarBody };
    expect(() => planarTask(wrong)).toThrow(place);
    expect(() => planarTask(wrong)).toThrow(told);
    expect(() => planarTask(wrong)).toThrow(task.id);
  });
});

describe("the picture of a planar body", () => {
  it("is drawn in the theme's colours, with dark shadows, over the whole size, and leaves the context as it was", () => {
    const calls = drawn(still);
    const colours = calls.filter(({ name }) => name === "fillStyle" || name === "strokeStyle");
    expect(new Set(colours.map(({ args }) => args[0]))).toEqual(new Set([...Object.keys(theme), "#000"]));
    expect(calls.find(({ name }) => name === "fillRect")?.args).toEqual([0, 0, size.width, size.height]);
    const depth = calls.map(({ name }) => (name === "save" ? 1 : name === "restore" ? -1 : 0) as number);
    expect(depth.reduce((a, b) => a + b)).toBe(0);
  });

  it("follows the joints, and the camera follows the body while the ground passes by", () => {
    const places = (state: readonly number[]) =>
      JSON.stringify(drawn(state).filter(({ name }) => name === "moveTo" || name === "lineTo"));
    expect(places(still.with(3, 0.5))).not.toBe(places(still));
    const camera = (x: number) =>
      drawn(still.with(0, x))
        .filter(({ name }) => name === "translate")
        .at(-1)?.args;
    expect(camera(12.5)).toEqual([-12.5, 0]);
    expect(places(still.with(0, 0.5))).not.toBe(places(still));
  });
});

describe("rlkit's own planar bodies", () => {
  it.each([
    ["rlkit/HalfCheetah-v0", 17, 6, 0, 20],
    ["rlkit/Hopper-v0", 11, 3, 1.25, 125],
    ["rlkit/Walker2d-v0", 17, 6, 1.25, 125],
  ])("%s starts as its task says", (id, observed, motors, z, rate) => {
    const env = makeVector(id, 64);
    expect(env.single_observation_space).toMatchObject({ shape: [observed] });
    expect(env.single_action_space).toMatchObject({ shape: [motors] });
    expect(findEnvironment(id).frame_rate).toBe(rate);
    const { observation } = env.reset({ seed: 2 });
    const heights = Array.from(
      { length: 64 },
      (_, lane) => (observation as Float32Array)[lane * observed] as number,
    );
    for (const height of heights) expect(Math.abs(height - z)).toBeLessThanOrEqual(z === 0 ? 0.1 : 0.0051);
    env.close();
  });
});
