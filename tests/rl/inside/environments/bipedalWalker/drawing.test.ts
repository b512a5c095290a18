import { beforeAll, describe, expect, it } from "vitest";
import { GOAL_X, STATE } from "../../../../../src/rl/environments/bipedalWalker/geometry.ts";
import { loadEnvironment, make } from "../../../../../src/rl/environments.ts";
import { type Call, recorder, size, theme } from "../../../support/drawingRecorder.ts";

const PLAIN = "BipedalWalker-v3";
const HARDCORE = "BipedalWalkerHardcore-v3";

beforeAll(async () => {
  await Promise.all([PLAIN, HARDCORE].map(loadEnvironment));
});

/** Records what `render` draws after an action, with the walker moved along and up. */
function drawnAt(id: string, x = 0, y = 0): Call[] {
  const env = make(id);
  env.reset({ seed: 5 });
  env.step([1, -1, 0.5, 0]);
  const state = env.getState();
  for (let body = 0; body < 5; body++) {
    state[6 * body] = (state[6 * body] ?? 0) + x;
    state[6 * body + 1] = (state[6 * body + 1] ?? 0) + y;
  }
  env.setState(state);
  const { context, calls } = recorder();
  env.render({ context, size, theme });
  return calls;
}

/** The shift of the view: the third, after those to the canvas's middle and to the scene's. */
const cameraOf = (calls: readonly Call[]): number[] =>
  calls.filter(({ name }) => name === "translate")[2]?.args.map(Number) ?? [];

const count = (calls: readonly Call[], name: string): number =>
  calls.filter((call) => call.name === name).length;

describe.each([PLAIN, HARDCORE])("drawing of %s", (id) => {
  it.each([0, 40, GOAL_X])(
    "is finite, in the theme's colours, and leaves the context as it was, at %d m",
    (x) => {
      const calls = drawnAt(id, x);
      const numbers = calls.flatMap(({ args }) => args).filter((arg) => typeof arg === "number");
      expect(numbers.every(Number.isFinite)).toBe(true);
      const colours = calls.filter(({ name }) => name.endsWith("Style")).map(({ args }) => args[0]);
      expect(new Set(colours)).toEqual(new Set(Object.values(theme)));
      expect(count(calls, "save")).toBe(count(calls, "restore"));
    },
  );

  it("keeps the hull at its place while the terrain passes, and in the view where the terrain leads down", () => {
    const cameras = [
      [0, 0],
      [10, 0],
      [0, -6],
    ].map(([x, y]) => cameraOf(drawnAt(id, x, y)));
    const [still = [], along = [], down = []] = cameras;
    expect(still[1]).toBe(0);
    expect((still[0] ?? 0) - (along[0] ?? 0)).toBeCloseTo(10, 4);
    expect(down[0]).toBeCloseTo(still[0] ?? 0, 4);
    expect(down[1]).toBeGreaterThan(4);
  });
});

describe("drawing of BipedalWalker", () => {
  it("has obstacles in the hardcore version, and joints that grow with their motors' torque", () => {
    expect(count(drawnAt(HARDCORE, 15), "rect")).toBeGreaterThan(count(drawnAt(PLAIN, 15), "rect"));
    const env = make(PLAIN);
    const radii = [0, 1].map((effort) => {
      env.reset({ seed: 5 });
      env.step([effort, effort, effort, effort]);
      const { context, calls } = recorder();
      env.render({ context, size, theme });
      return calls
        .filter(({ name, args }) => name === "arc" && args[0] === 0)
        .map(({ args }) => Number(args[2]));
    });
    expect(radii.map((list) => list.length)).toEqual([4, 4]);
    expect(Math.min(...(radii[1] ?? []))).toBeGreaterThan(Math.max(...(radii[0] ?? [])));
  });

  it("takes a frame that says what to draw", () => {
    const env = make(PLAIN);
    expect(() => env.render()).toThrow("BipedalWalker-v3: render() was called before reset()");
    env.reset({ seed: 5 });
    env.step([0.5, 0, -0.25, 1]);
    const { state, action } = env.render();
    expect([action, ...state.slice(STATE.motors, STATE.motors + 4)]).toEqual([0.5, 0.5, 0, -0.25, 1]);
  });
});
