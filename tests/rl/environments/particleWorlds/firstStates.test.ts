/** First states and ends of episodes in particle worlds. */
import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/evolution/random.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import { findCompiledEnvironment, listEnvironments } from "../../../../src/rl/environments.ts";
import { resetLanes } from "../../inside/environments/stepLanes.ts";
import { vectorRun } from "../../inside/environments/vectorRuns.ts";
import { publishedWorlds, worldOf } from "./publishedWorlds.ts";

const LANES = 2000;

describe.each(Object.entries(publishedWorlds))("an episode of %s", (id, make) => {
  const rules = make();
  const env = findCompiledEnvironment(id);
  const random = new Random({ seed: 12, stream: id });
  const draws = Array.from({ length: LANES }, () =>
    Array.from({ length: env.resetDraws }, () => random.uniform()),
  );
  const first = resetLanes(env, draws);
  const worlds = first.map(({ state }) => worldOf(rules, state));

  it("starts at rest and silent, and shows what its equations say", () => {
    for (const [lane, world] of worlds.entries()) {
      for (const { velocity, said } of world.agents)
        expect([...velocity, ...said].every((x) => x === 0)).toBe(true);
      const seen = rules.observe(world).flat();
      const off = seen.map((x, i) => Math.abs(x - (first[lane]?.observation[i] as number)));
      expect(Math.max(...off)).toBeLessThan(1e-6);
    }
  });

  it("has everything at uniform places, each on its own", () => {
    const range = id === "simple_tag_v3" ? 0.9 : 1;
    const coordinates = worlds.map(({ agents, landmarks }) => [
      ...agents.flatMap(({ place }) => place),
      ...landmarks.flat().map((x) => x / range),
    ]);
    const count = coordinates[0]?.length ?? 0;
    const mean = (of: (row: readonly number[]) => number): number =>
      coordinates.reduce((sum, row) => sum + of(row), 0) / LANES;
    const error = 1 / Math.sqrt(LANES);
    for (let i = 0; i < count; i++) {
      const own = (row: readonly number[]): number => row[i] as number;
      expect(Math.max(...coordinates.map((row) => Math.abs(own(row))))).toBeLessThanOrEqual(1);
      expect(Math.max(...coordinates.map((row) => Math.abs(own(row))))).toBeGreaterThan(0.99);
      expect(Math.abs(mean(own))).toBeLessThan(4 * error * Math.sqrt(1 / 3));
      expect(Math.abs(mean((row) => own(row) ** 2) - 1 / 3)).toBeLessThan(4 * error * 0.3);
      for (let j = 0; j < i; j++)
        expect(Math.abs(mean((row) => own(row) * (row[j] as number)))).toBeLessThan(4.5 * error * (1 / 3));
    }
  });

  it("draws each goal among all landmarks, on its own", () => {
    const goals = worlds.map((world) => world.goals);
    const pairs = rules.landmarks ** (rules.goals ?? 0);
    const counts = new Map<string, number>();
    for (const goal of goals) counts.set(goal.join(), (counts.get(goal.join()) ?? 0) + 1);
    expect(counts.size).toBe(pairs);
    for (const count of counts.values())
      expect(Math.abs(count - LANES / pairs)).toBeLessThan(4 * Math.sqrt(LANES / pairs));
  });
});

it("ends by the time limit alone, for all agents together", async () => {
  const device = new WasmDevice();
  const seen = await vectorRun(device, findCompiledEnvironment("simple_tag_v3"), {
    lanes: 4,
    steps: 26,
    seed: 1,
  });
  device.close();
  const cut = seen.slice(1).map(({ truncated }) => truncated);
  expect(cut.map((flags) => flags?.join())).toEqual(
    Array.from({ length: 26 }, (_, t) => (t === 24 ? "1,1,1,1" : "0,0,0,0")),
  );
  expect(seen.slice(1).every(({ terminated }) => terminated?.every((flag) => flag === 0))).toBe(true);
  expect(seen[25]?.obs).not.toEqual(seen[25]?.next_obs);
});

it("are all listed", () => {
  expect(
    listEnvironments()
      .filter((id) => id.startsWith("simple_"))
      .sort(),
  ).toEqual(Object.keys(publishedWorlds).sort());
});
