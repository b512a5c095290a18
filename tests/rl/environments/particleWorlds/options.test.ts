/** Names and options of particle worlds. */
import { describe, expect, it } from "vitest";
import { parseManifest } from "../../../../src/manifests/index.ts";
import {
  drawEnvironment,
  findCompiledEnvironment,
  findEnvironment,
  listEnvironments,
  loadEnvironment,
} from "../../../../src/rl/environments.ts";
import type { Agents } from "../../../../src/rl/spaces.ts";
import { environmentOf } from "../../../../src/training/plan.ts";
import { publishedWorlds } from "./publishedWorlds.ts";

const ids = Object.keys(publishedWorlds);

describe("names", () => {
  it.each(ids)("%s is found under its packages' names too", async (id) => {
    const plain = findEnvironment(id);
    expect(plain.id).toBe(id);
    for (const prefix of ["mpe2.", "pettingzoo.mpe."]) {
      expect(findEnvironment(prefix + id)).toBe(plain);
      expect(findEnvironment(prefix + id, { max_cycles: 9 })).toBe(findEnvironment(id, { max_cycles: 9 }));
      expect(drawEnvironment(prefix + id)).not.toBeNull();
      await expect(loadEnvironment(prefix + id)).resolves.toBeUndefined();
    }
  });

  it("have no other prefix, and no other environment has one", () => {
    expect(() => findEnvironment("mpe.simple_v3")).toThrow('did you mean "simple_v3"');
    expect(() => findEnvironment("mpe2.CartPole-v1")).toThrow("environment: unknown environment");
    expect(() => findEnvironment("mpe2.simple_spread_v2")).toThrow("simple_spread_v3");
  });
});

const actions = (id: string, options = {}) =>
  (findEnvironment(id, options).action_space as Agents).agents.map(({ space }) =>
    space.kind === "Discrete" ? space.n : space.shape,
  );

describe("a manifest", () => {
  it.each(["", "mpe2.", "pettingzoo.mpe."])(
    "may name a world with %j before it, and keeps that",
    (prefix) => {
      const name = `${prefix}simple_spread_v3`;
      const manifest = { algorithm: { name: "PPO" }, environment: { name } };
      expect(parseManifest(manifest, { environments: listEnvironments() }).environment.name).toBe(name);
    },
  );

  it("is told the world that it may have meant", () => {
    const manifest = { algorithm: { name: "PPO" }, environment: { name: "mpe2.simple_spread_v2" } };
    expect(() => parseManifest(manifest, { environments: listEnvironments() })).toThrow(
      'unknown environment "mpe2.simple_spread_v2"',
    );
  });
});

describe("options", () => {
  it("make actions continuous", () => {
    const both = (id: string) => [actions(id), actions(id, { continuous_actions: true })];
    expect(both("simple_v3")).toEqual([[5], [[5]]]);
    expect(both("simple_speaker_listener_v4")).toEqual([
      [3, 5],
      [[3], [5]],
    ]);
    expect(both("simple_reference_v3")).toEqual([
      [50, 50],
      [[15], [15]],
    ]);
  });

  it.each(ids)("cut episodes of %s off, by either name", (id) => {
    expect(findEnvironment(id, { max_cycles: 40 }).max_episode_steps).toBe(40);
    expect(findEnvironment(id, { max_episode_steps: 40 }).max_episode_steps).toBe(40);
    expect(findEnvironment(id, { max_cycles: 40, max_episode_steps: 30 }).max_episode_steps).toBe(30);
  });

  it("say how many there are", () => {
    const idsOf = (id: string, options: Record<string, number>) =>
      (findCompiledEnvironment(id, options).observation_space as Agents).ids;
    expect(idsOf("simple_spread_v3", { N: 2 })).toEqual(["agent_0", "agent_1"]);
    expect(idsOf("simple_adversary_v3", { N: 1 })).toEqual(["adversary_0", "agent_0"]);
    expect(idsOf("simple_tag_v3", { num_good: 2, num_adversaries: 1 })).toEqual([
      "adversary_0",
      "agent_0",
      "agent_1",
    ]);
    expect(findCompiledEnvironment("simple_tag_v3", { num_obstacles: 0 }).variables).toEqual(["agents"]);
  });

  it.each([
    ["simple_v3", { N: 2 }, /simple_v3.N: unknown key "N".*max_cycles/],
    ["simple_spread_v3", { local_rato: 1 }, /unknown key "local_rato".*local_ratio/],
    ["simple_spread_v3", { N: 0 }, "simple_spread_v3.N: found 0"],
    ["simple_spread_v3", { N: 17 }, "simple_spread_v3.N: found 17"],
    ["simple_spread_v3", { local_ratio: 1.5 }, "simple_spread_v3.local_ratio: found 1.5"],
    ["simple_tag_v3", { num_good: 1.5 }, "simple_tag_v3.num_good: "],
    ["simple_tag_v3", { num_obstacles: -1 }, "simple_tag_v3.num_obstacles: found -1"],
    ["simple_push_v3", { max_cycles: 0 }, "simple_push_v3.max_cycles: found 0"],
    ["simple_push_v3", { continuous_actions: "yes" }, "simple_push_v3.continuous_actions: expected"],
    ["simple_reference_v3", { render_mode: "human" }, 'unknown key "render_mode"'],
  ])("of %s refuse %j", (id, options, message) => {
    expect(() => findEnvironment(id, options)).toThrow(message);
    expect(() => findEnvironment(`mpe2.${id}`, options)).toThrow(message);
  });

  it("are refused at their place in a manifest, whatever name the world has", () => {
    const manifest = (name: string) =>
      parseManifest({
        algorithm: { name: "PPO" },
        environment: { name, env_config: { N: 0 } },
      });
    for (const name of ["simple_spread_v3", "mpe2.simple_spread_v3", "pettingzoo.mpe.simple_spread_v3"])
      expect(() => environmentOf(manifest(name))).toThrow("environment.env_config.N: found 0");
  });
});
