import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { CartPole, CartPoleMasked } from "../../src/agents/index.ts";
import { environmentFacts } from "../../src/manifests/environmentFacts.ts";
import { SHARED_STEPS } from "../../src/manifests/sharedSteps.ts";
import { listEnvironments } from "../../src/rl/environments.ts";
import { environmentGlyphs, gameIds } from "../../src/ui/components/environmentGlyphs.ts";
import { factsAsData, glyphsAsData, sharedStepsAsData } from "../../vite.config.ts";
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
    const data = new Map(
      glyphsAsData.load
        .handler()
        .split("\n")
        .map((line) => /^export const (\w+) = (.*);$/.exec(line)?.slice(1) as [string, string]),
    );
    expect([...data.keys()]).toEqual(["environmentGlyphs", "gameIds"]);
    expect(JSON.parse(data.get("environmentGlyphs") ?? "")).toEqual(environmentGlyphs);
    expect(JSON.parse(data.get("gameIds") ?? "")).toEqual(gameIds);
  });

  it("have the ids of games beside them", () => {
    expect(gameIds).toContain("rlkit/TicTacToe");
    expect(gameIds).not.toContain("CartPole-v1");
  });
});

describe("facts of environments", () => {
  it("are in the built page as data, without the dynamics", () => {
    const module = path.join(root, "src/manifests/environmentFacts.ts");
    expect(existsSync(module)).toBe(true);
    expect(factsAsData.load.filter.id.test(module)).toBe(true);
    const [, data = ""] = factsAsData.load.handler().split("environmentFacts = ");
    expect(JSON.parse(data.replace(/;$/, ""))).toEqual(environmentFacts);
  });

  it("say what agents see and do, and of which kind an environment is", () => {
    expect(Object.keys(environmentFacts)).toEqual(listEnvironments());
    expect(environmentFacts["CartPole-v1"]).toMatchObject({
      kind: "control",
      observes: "4 numbers",
      acts: "2 choices",
    });
    expect(environmentFacts["MinAtar/Breakout-v1"]).toMatchObject({
      kind: "games",
      observes: "picture 10 x 10 x 4",
    });
    expect(environmentFacts["HalfCheetah-v5"]).toMatchObject({
      kind: "bodies",
      acts: "6 numbers",
      mujoco: true,
    });
    expect(environmentFacts["simple_spread_v3"]).toMatchObject({
      kind: "teams",
      acts: "3 agents, 5 choices each",
    });
    expect(environmentFacts["rlkit/TeamShared-v0"]?.kind).toBe("probes");
  });
});

describe("algorithms that share their steps", () => {
  it("are in the built page as data, without the specs", () => {
    const module = path.join(root, "src/manifests/sharedSteps.ts");
    expect(existsSync(module)).toBe(true);
    expect(sharedStepsAsData.load.filter.id.test(module)).toBe(true);
    const [, list = ""] = /(\[.*\])/.exec(sharedStepsAsData.load.handler()) ?? [];
    expect(JSON.parse(list)).toEqual(SHARED_STEPS);
    expect(SHARED_STEPS).toContain("IPPO");
  });
});
