import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { leanPolicy, losesNothing } from "../../../src/stage/leanPolicy.ts";
import { packPolicy, unpackPolicy } from "../../../src/stage/packedPolicy.ts";
import { encodeAgent } from "../../../src/training/files.ts";
import { packBytes, unpackBytes } from "../../../src/ui/lib/packedBytes.ts";
import { playProblem } from "./support/stageOf.ts";

/** The link of a trained policy of 64-64 for CartPole, as the first version wrote it: half floats. */
const OLD = readFileSync(new URL("./fixtures/cartpole-link.txt", import.meta.url), "utf8");
const LIMITS = { letters: 65_536, bytes: 1_000_000 };
const old = () => unpackPolicy(unpackBytes(OLD, LIMITS));

describe("rounding loses nothing", () => {
  const whole = Array.from({ length: 100 }, (_, at) => 100 + (at % 10));

  it.each([
    ["where all returns stay", (x: number) => x, true],
    ["where they get better", (x: number) => x + 5, true],
    ["unless they get worse", (x: number) => x - 5, false],
    ["unless they vary too much to tell", (x: number, at: number) => x + (at % 2 === 0 ? 40 : -40), false],
    ["unless one episode in ten is lost", (x: number, at: number) => (at % 10 === 0 ? 0 : x), false],
  ])("%s", (_, rounded, verdict) => {
    expect(losesNothing(whole, whole.map(rounded))).toBe(verdict);
  });

  it("where returns vary more than by rounding, in size and in sign", () => {
    const varied = whole.map((_, at) => (at % 2 === 0 ? 60 : -50));
    expect(
      losesNothing(
        varied,
        varied.map((x, at) => x + (at % 3) - 1),
      ),
    ).toBe(true);
    expect(
      losesNothing(
        varied,
        varied.map((x) => x - 20),
      ),
    ).toBe(false);
  });

  it("where returns are negative, too", () => {
    const negative = whole.map((x) => -x);
    expect(
      losesNothing(
        negative,
        negative.map((x) => x - 0.5),
      ),
    ).toBe(true);
    expect(
      losesNothing(
        negative,
        negative.map((x) => x - 5),
      ),
    ).toBe(false);
  });
});

/** Why the policy in a link's text cannot play; null if it can. */
function problemOf(text: string): Promise<string | null> {
  const { agent, environment, env_config } = unpackPolicy(unpackBytes(text, LIMITS));
  const bytes = new Uint8Array(encodeAgent(agent));
  return playProblem({
    key: "a",
    bytes,
    environment,
    env_config,
    module: null,
    ancestors: [],
    colour: "red",
  });
}

describe("a link's policy", () => {
  it("of 64-64 takes less than 8,000 characters in a link, and plays", async () => {
    const text = packBytes(await leanPolicy(old(), () => 0));
    expect(text.length).toBeLessThan(7900);
    expect(await problemOf(text)).toBeNull();
  });

  it("keeps half floats where there is no time for the episodes", async () => {
    let time = 0;
    const late = await leanPolicy(old(), () => (time += 1000));
    expect(late).toEqual(packPolicy(old()));
    expect(packBytes(late)).toBe(OLD);
  });

  it("of earlier links still plays", async () => {
    expect(await problemOf(OLD)).toBeNull();
  });
});
