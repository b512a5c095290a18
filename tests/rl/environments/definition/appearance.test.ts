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
  listEnvironments,
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

describe("the names of an environment's numbers", () => {
  const named = { ...CartPole, observation_names: ["a", "b", "c", "d"], action_names: ["left", "right"] };

  it("stay with those numbers that a masked environment keeps, and not with a stack of them", () => {
    registerEnvironment({ ...named, id: "NamesTest-v0" });
    registerEnvironment(maskObservations(named, [3, 0], "NamesTest-masked-v0"));
    expect(findEnvironment("NamesTest-v0", { max_episode_steps: 5 })).toMatchObject({
      observation_names: ["a", "b", "c", "d"],
      action_names: ["left", "right"],
    });
    expect(findEnvironment("NamesTest-masked-v0").observation_names).toEqual(["d", "a"]);
    const stacked = findEnvironment("NamesTest-v0", { "rlkit/frame_stack": 2 });
    expect(stacked.observation_names).toBeUndefined();
    expect(stacked.action_names).toEqual(["left", "right"]);
  });

  it("are as many as the space has", () => {
    expect(() => registerEnvironment({ ...named, id: "NamesTest-v1", observation_names: ["a"] })).toThrow(
      "NamesTest-v1: observation_names: found 1 names, allowed 4, one for each number of the space",
    );
    expect(() => registerEnvironment({ ...named, id: "NamesTest-v2", action_names: ["left"] })).toThrow(
      "NamesTest-v2: action_names: found 1 names, allowed 2, one for each choice of the space",
    );
  });

  it("differ within every environment of rlkit", () => {
    const hasRepeats = (names: readonly string[] = []): boolean => new Set(names).size < names.length;
    const repeating = listEnvironments().filter((id) => {
      const { observation_names, action_names } = findEnvironment(id);
      return hasRepeats(observation_names) || hasRepeats(action_names);
    });
    expect(repeating).toEqual([]);
  });
});

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
