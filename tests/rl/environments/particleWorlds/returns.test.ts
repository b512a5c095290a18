/** Returns of scripted policies, against an exact expectation and the means in MPE2's own worlds. */
import { describe, expect, it } from "vitest";
import { type Episode, estimate, playEpisodes, randomPolicy } from "../../../../bench/particleWorlds/play.ts";
import { scripts } from "../../../../bench/particleWorlds/scripts.ts";
import { findCompiledEnvironment } from "../../../../src/rl/environments.ts";

/** Number of episodes of the published means, whose errors more of ours would not make smaller. */
const THEIRS = 400;
const EPISODES = 600;
/** Beside a mean that is known exactly. */
const MORE = 1500;

const sums = (episodes: readonly Episode[]): number[] =>
  episodes.map(({ returns }) => returns.reduce((sum, r) => sum + r, 0));
const own = (episodes: readonly Episode[], agent: number): number[] =>
  episodes.map(({ returns }) => returns[agent] as number);

/** Difference between the mean return and a published mean, in standard errors. */
function apart(values: readonly number[], published: number): number {
  const { mean, error } = estimate(values);
  return Math.abs(mean - published) / (error * Math.sqrt(1 + values.length / THEIRS));
}

describe("random play", () => {
  it("earns in simple_v3 what a random walk from uniform places does", () => {
    // For x and y each: the difference of two uniform positions has variance 2/3. A push of +-5 in two of
    // five moves adds
    // 0.1 to a step's velocity variance, of which 0.4 (1 - 0.75^m) reaches the position within m steps.
    let expected = 0;
    for (let t = 1; t <= 25; t++) {
      let walk = 0;
      for (let m = 0; m < t; m++) walk += 0.1 * (0.4 * (1 - 0.75 ** m)) ** 2;
      expected -= 2 * (2 / 3 + walk);
    }
    const env = findCompiledEnvironment("simple_v3");
    const { mean, error } = estimate(sums(playEpisodes(env, MORE, 1, randomPolicy(env))));
    expect(Math.abs(mean - expected) / error).toBeLessThan(3);
  });

  it.each([
    ["simple_v3", -42],
    ["simple_speaker_listener_v4", -81],
    ["simple_spread_v3", -79.5],
    ["simple_reference_v3", -56.4],
  ])("earns in %s what was measured there", (id, published) => {
    const env = findCompiledEnvironment(id);
    const episodes = playEpisodes(env, EPISODES, 1, randomPolicy(env));
    expect(apart(sums(episodes), published)).toBeLessThan(3);
  });

  it.each([
    ["simple_push_v3", [0.3, -28.8]],
    ["simple_adversary_v3", [-27.2, 5.8, 5.8]],
    ["simple_tag_v3", [5.5, 5.5, 5.5, -18]],
  ])("earns each agent in %s what was measured there", (id, published) => {
    const env = findCompiledEnvironment(id);
    const episodes = playEpisodes(env, EPISODES, 1, randomPolicy(env));
    for (const [agent, mean] of published.entries())
      expect(apart(own(episodes, agent), mean)).toBeLessThan(3);
  });
});

function play(name: string, id: string) {
  const script = scripts.find((one) => one.id === id && one.name.includes(name));
  if (!script) throw new RangeError(`${id}: no script "${name}"`);
  const episodes = playEpisodes(findCompiledEnvironment(id), EPISODES, 2, script.policy);
  const near = episodes.flatMap(({ last }) => script.near?.(last) ?? []);
  return { episodes, near: near.filter(Boolean).length / near.length };
}

const known = new Map<string, ReturnType<typeof play>>();
const played = (name: string, id: string) => {
  const key = `${id} ${name}`;
  const found = known.get(key) ?? play(name, id);
  known.set(key, found);
  return found;
};

describe("a policy by hand", () => {
  it.each([
    ["to the landmark", "simple_v3", -7.9],
    ["deaf", "simple_speaker_listener_v4", -31.5],
    ["names the goal", "simple_speaker_listener_v4", -15.7],
    ["nearest", "simple_spread_v3", -50.7],
    ["agent i", "simple_spread_v3", -36.1],
    ["assignment", "simple_spread_v3", -26.1],
    ["deaf", "simple_reference_v3", -35.5],
    ["both say", "simple_reference_v3", -17.4],
  ])("that goes %s in %s earns what was measured there", (name, id, published) => {
    expect(apart(sums(played(name, id).episodes), published)).toBeLessThan(3);
  });

  it.each(["simple_speaker_listener_v4", "simple_reference_v3"])(
    "finds the goal of %s only by words",
    (id) => {
      expect(played("deaf", id).near).toBeLessThan(0.4);
      expect(played(id === "simple_reference_v3" ? "both say" : "names the goal", id).near).toBeGreaterThan(
        0.97,
      );
    },
  );

  it("earns each in push and adversary what was measured there", () => {
    for (const [id, published] of [
      ["simple_push_v3", [0.2, -8.8]],
      ["simple_adversary_v3", [-16, 9.8, 9.8]],
    ] as const) {
      const { episodes } = played("", id);
      for (const [agent, mean] of published.entries())
        expect(apart(own(episodes, agent), mean), `${id} ${agent}`).toBeLessThan(3);
    }
  });

  it("catches prey that others only meet", () => {
    const { episodes } = played("adversaries drive", "simple_tag_v3");
    expect(estimate(own(episodes, 0)).mean).toBeGreaterThan(3 * 5.5);
  });
});
