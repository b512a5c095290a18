/** Derived environments keep the appearance of their original. */
// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import {
  CartPole,
  maskObservations,
  registerDrawing,
  registerEnvironment,
} from "../../../../src/agents/index.ts";
import {
  type CompiledEnvironment,
  drawEnvironment,
  findEnvironment,
  make,
} from "../../../../src/rl/environments.ts";
import { recorder, size, theme } from "../../support/drawingRecorder.ts";

const { reset, step, observe, withOptions: _none, draw: _other, ...facts } = CartPole;

/** An environment whose methods are class methods. */
class Painted {
  readonly colour = "green";

  place(state: ArrayLike<number>): number {
    return (state[0] ?? 0) + this.colour.length;
  }

  draw(...[context]: Parameters<NonNullable<CompiledEnvironment["draw"]>>): void {
    context.fillStyle = this.colour;
  }
}

const painted = (id: string): CompiledEnvironment =>
  Object.assign(new Painted(), { ...facts, reset, step, observe, id, frame_rate: 7 });

/** Colours in an environment's picture. */
function colours(env: ReturnType<typeof make>): unknown[] {
  env.reset({ seed: 1 });
  const { context, calls } = recorder();
  env.render({ context, size, theme });
  return calls.map(({ args }) => args[0]);
}

describe("the appearance of an environment", () => {
  it("belongs to it with options, masked, and by its name", () => {
    const environment = painted("AppearanceTest-v0");
    registerEnvironment(environment);
    registerEnvironment(maskObservations(environment, [0], "AppearanceTest-masked-v0"));
    for (const [id, options] of [
      ["AppearanceTest-v0", {}],
      ["AppearanceTest-v0", { max_episode_steps: 5 }],
      ["AppearanceTest-masked-v0", {}],
    ] as const) {
      expect(colours(make(id, options))).toEqual(["green"]);
      const found = findEnvironment(id, options);
      expect([found.frame_rate, found.glyph, found.place?.([2])]).toEqual([7, CartPole.glyph, 7]);
      const { context, calls } = recorder();
      drawEnvironment(id, options)?.(context, [0], null, size, theme);
      expect(calls).toHaveLength(1);
    }
  });

  it("gives way to a drawing registered for it", () => {
    registerEnvironment(painted("AppearanceTest-v1"));
    registerDrawing("AppearanceTest-v1", (context) => {
      context.fillStyle = "red";
    });
    expect(colours(make("AppearanceTest-v1"))).toEqual(["red"]);
  });

  it.each<[string, object, RegExp]>([
    ["a rate", { frame_rate: 0 }, /AppearanceTest-v3\.frame_rate: .*found 0/],
    ["a place", { place: 0 }, /AppearanceTest-v3\.place: .*must be a function/],
    ["a drawing", { draw: "M0 0h9" }, /AppearanceTest-v3\.draw: .*must be a function/],
    [
      "a glyph",
      { glyph: [{ path: "M0 0h9", style: "bold" }] },
      /AppearanceTest-v3\.glyph\[0\]\.style: .*"body"/,
    ],
  ])("is refused where %s is none", (_what, appearance, message) => {
    const environment = { ...painted("AppearanceTest-v3"), reset, step, observe, ...appearance };
    expect(() => registerEnvironment(environment)).toThrow(message);
    expect(drawEnvironment("AppearanceTest-v3")).toBeNull();
  });

  it("may be none", () => {
    registerEnvironment({ ...facts, reset, step, observe, id: "AppearanceTest-v2" });
    expect(drawEnvironment("AppearanceTest-v2")).toBeNull();
    expect(() => colours(make("AppearanceTest-v2"))).toThrow(
      "AppearanceTest-v2: has no drawing; add one with registerDrawing",
    );
  });
});
