// @own-process: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import { registerDrawing } from "../../../src/agents/index.ts";
import { drawEnvironment, listEnvironments, make } from "../../../src/rl/environments.ts";
import { type Call, recorder, size, theme } from "../support/drawingRecorder.ts";

function drawn(id: string, state: readonly number[], action: number | null): Call[] {
  const { context, calls } = recorder();
  drawEnvironment(id)?.(context, state, action, size, theme);
  return calls;
}

describe.each([
  ["CartPole-v1", [0.5, 0, 0.1, 0], [0, 1]],
  ["Acrobot-v1", [0.5, 1, 0, 0], [0, 2]],
  ["MountainCar-v0", [-0.7, 0], [0, 2]],
  ["MountainCarContinuous-v0", [-0.7, 0], [-1, 0.5]],
  ["Pendulum-v1", [0.5, 0], [-2, 1]],
  ["FrozenLake-v1", [1, 2], [0, 1, 2, 3]],
  ["FrozenLake8x8-v1", [6, 3], [0, 1, 2, 3]],
  ["CliffWalking-v1", [2, 5], [0, 1, 2, 3]],
  ["CliffWalkingSlippery-v1", [2, 5], [0, 1, 2, 3]],
  ["Taxi-v3", [1, 3, 2, 0], [0, 1, 2, 3, 4, 5]],
  ["Taxi-v4", [1, 3, 2, 0], [0, 1, 2, 3, 4, 5]],
  ["Blackjack-v1", [13, 1, 3, 9, 14, 0], [0, 1]],
  ["rlkit/BitFlip-v0", [1, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0, 1], [0, 5]],
  ["rlkit/PointMaze-v0", [-0.2, 1, 0.5, 0, 1, -1], [-1, 0.5]],
  ["rlkit/Policy-v0", [1], [0, 1]],
  ["rlkit/FixedObsPolicy-mixed-continuous-v0", [0], [0, 0.5]],
])("drawing of %s", (id, state, actions) => {
  it("covers the size it is given with the background first and leaves the context as it was", () => {
    const calls = drawn(id, state, null);
    const fill = calls.findIndex((call) => call.name === "fillRect");
    expect(calls[fill]?.args).toEqual([0, 0, 320, 200]);
    expect(calls.slice(0, fill).find((call) => call.name === "fillStyle")?.args).toEqual(["ground"]);
    const depth = calls.reduce(
      (d, call) => d + (call.name === "save" ? 1 : call.name === "restore" ? -1 : 0),
      0,
    );
    expect([calls[0]?.name, calls.at(-1)?.name, depth]).toEqual(["save", "restore", 0]);
  });

  it("uses the theme's colours alone", () => {
    const colours = drawn(id, state, actions[0] as number)
      .filter((call) => call.name === "fillStyle" || call.name === "strokeStyle")
      .map((call) => call.args[0]);
    expect(colours).toContain("accent");
    for (const colour of colours) expect(Object.values(theme)).toContain(colour);
  });

  it("draws finite shapes that follow state and action", () => {
    const moved = state.map((value) => value - 0.3);
    const scenes = [
      drawn(id, state, null),
      drawn(id, moved, null),
      ...actions.map((action) => drawn(id, state, action)),
    ];
    for (const calls of scenes) {
      const numbers = calls.flatMap((call) => call.args).filter((arg) => typeof arg === "number");
      expect(numbers.every(Number.isFinite)).toBe(true);
    }
    expect(new Set(scenes.map((calls) => JSON.stringify(calls))).size).toBe(scenes.length);
  });

  it("is what the environment's render draws", () => {
    const env = make(id);
    expect(() => env.render()).toThrow(`${id}: render() was called before reset()`);
    env.setState(state);
    expect(env.render()).toEqual({ id, state: Float32Array.from(state), action: null });
    const { context, calls } = recorder();
    env.render({ context, size, theme });
    expect(calls).toEqual(drawn(id, [...Float32Array.from(state)], null));
    const [numbers = 1] = env.action_space.shape;
    env.step(env.action_space.kind === "Discrete" ? 0 : Array<number>(numbers).fill(1.5));
    expect(env.render().action).toBe(env.action_space.kind === "Discrete" ? 0 : 1.5);
  });
});

describe("drawEnvironment", () => {
  it("knows no drawing until one is registered", () => {
    expect(drawEnvironment("DrawingTest-v0")).toBeNull();
    const draw = () => {};
    registerDrawing("DrawingTest-v0", draw);
    expect(drawEnvironment("DrawingTest-v0")).toBe(draw);
  });

  it("has one for every environment of the library", () => {
    expect(listEnvironments().filter((id) => drawEnvironment(id) === null)).toEqual([]);
  });
});
