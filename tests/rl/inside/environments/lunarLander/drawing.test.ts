import { beforeAll, describe, expect, it } from "vitest";
import { STATE } from "../../../../../src/rl/environments/lunarLander/geometry.ts";
import { loadEnvironment, make } from "../../../../../src/rl/environments.ts";
import { recorder, size, theme } from "../../../support/drawingRecorder.ts";

const id = "LunarLander-v3";

beforeAll(() => loadEnvironment(id));

/** Records what `render` draws after an action. */
function drawnAfter(action: number) {
  const env = make(id);
  env.reset({ seed: 5 });
  env.step(action);
  const { context, calls } = recorder();
  env.render({ context, size, theme });
  return calls;
}

describe("drawing of LunarLander", () => {
  it("is finite, in the theme's colours, and leaves the context as it was", () => {
    const calls = drawnAfter(2);
    const numbers = calls.flatMap(({ args }) => args).filter((arg) => typeof arg === "number");
    expect(numbers.every(Number.isFinite)).toBe(true);
    const colours = calls.filter(({ name }) => name.endsWith("Style")).map(({ args }) => args[0]);
    expect(new Set(colours)).toEqual(new Set(Object.values(theme)));
    const count = (name: string) => calls.filter((call) => call.name === name).length;
    expect(count("save")).toBe(count("restore"));
  });

  it("has a flame for each engine that burned", () => {
    const fills = [0, 1, 2, 3].map(
      (action) => drawnAfter(action).filter(({ name }) => name === "fill").length,
    );
    const [none = 0] = fills;
    expect(fills).toEqual([none, none + 1, none + 1, none + 1]);
  });

  it("takes a frame that says what to draw", () => {
    const env = make(id);
    expect(() => env.render()).toThrow("LunarLander-v3: render() was called before reset()");
    env.reset({ seed: 5 });
    env.step(3);
    const { state, action } = env.render();
    expect([action, state[STATE.main], state[STATE.side]]).toEqual([3, 0, 1]);
  });
});
