import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { findEnvironment, listEnvironments } from "../../src/rl/environments.ts";
import { CartPole, CartPoleMasked } from "../../src/rl/index.ts";
import { frameRateOf } from "../../src/stage/Scene.ts";
import { environmentGlyphs } from "../../src/ui/components/environmentGlyphs.ts";
import { glyphsAsData } from "../../vite.config.ts";
import { rlTemplates } from "../support/rlTemplates.ts";

const file = path.join(root, "src/ui/components/environmentGlyphs.ts");

describe("glyphs of environments", () => {
  it("come from the definitions, those of variants too", () => {
    expect(environmentGlyphs["CartPole-v1"]).toBe(CartPole.glyph);
    expect(environmentGlyphs[CartPoleMasked.id]).toBe(CartPole.glyph);
    expect(Object.keys(environmentGlyphs).filter((id) => !listEnvironments().includes(id))).toEqual([]);
  });

  it("are there for every template of reinforcement learning", () => {
    const shown = rlTemplates.map(({ manifest }) => manifest.environment.name);
    expect(shown.filter((id) => !environmentGlyphs[id])).toEqual([]);
  });

  it("have no shape twice, which would be one shape on the page", () => {
    for (const glyph of Object.values(environmentGlyphs))
      expect(new Set(glyph.map((shape) => shape.path)).size).toBe(glyph.length);
  });

  it("are in the built page as the same data, without the code that makes them", () => {
    expect(existsSync(file)).toBe(true);
    expect(glyphsAsData.load.filter.id.test(file)).toBe(true);
    const [start, data] = glyphsAsData.load.handler().split(/(?<=^export const environmentGlyphs = )/);
    expect(start).toBe("export const environmentGlyphs = ");
    expect(JSON.parse(data?.replace(/;$/, "") ?? "")).toEqual(environmentGlyphs);
  });
});

describe("frames per second", () => {
  it.each([
    ["CartPole-v1", 50],
    ["rlkit/CartPole-masked-v1", 50],
    ["Acrobot-v1", 15],
    ["rlkit/Acrobot-masked-v1", 15],
    ["MountainCar-v0", 30],
    ["MountainCarContinuous-v0", 30],
    ["rlkit/MountainCar-masked-v0", 30],
    ["Pendulum-v1", 30],
    ["rlkit/Pendulum-masked-v1", 30],
    ["LunarLander-v3", 50],
    ["LunarLanderContinuous-v3", 50],
    ["FrozenLake-v1", 4],
    ["FrozenLake8x8-v1", 4],
    ["CliffWalking-v1", 4],
    ["CliffWalkingSlippery-v1", 4],
    ["Taxi-v3", 4],
    ["Taxi-v4", 4],
    ["Blackjack-v1", 4],
    ["MinAtar/Breakout-v1", 20],
    ["MinAtar/Seaquest-v1", 20],
    ["rlkit/Policy-v0", 30],
  ])("%s: %i", (id, rate) => {
    expect(frameRateOf(findEnvironment(id))).toBe(rate);
  });
});
