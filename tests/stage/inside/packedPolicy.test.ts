/** Policies in few bytes. */
import { describe, expect, it } from "vitest";
import { findEnvironment } from "../../../src/rl/environments.ts";
import { joined, parted } from "../../../src/stage/joined.ts";
import { packPolicy, quantisePolicy, unpackPolicy } from "../../../src/stage/packedPolicy.ts";
import { agentOf } from "../../rl/support/agents.ts";

const ENVIRONMENT = "Pendulum-v1";
const { observation_space, action_space } = findEnvironment(ENVIRONMENT);
const agent = agentOf({ name: "PPO" }, { observation_space, action_space, index: 3, seed: 3 });
const policy = { agent, environment: ENVIRONMENT, env_config: null, generation: 4, fitness: 7 };
const LEVELS = 20;

const weightsOf = ({ networks }: typeof agent): number[] =>
  Object.values(networks.actor?.tensors ?? {}).flatMap((tensor) => [...tensor]);

describe("a quantised policy", () => {
  const { header, body } = quantisePolicy(policy, LEVELS);

  it("has weights that are off by half a step at most, and of which few differ", () => {
    const read = unpackPolicy(joined(header, body));
    expect(read).toMatchObject({ environment: ENVIRONMENT, generation: 4, fitness: 7 });
    const tensors = Object.entries(read.agent.networks.actor?.tensors ?? {});
    expect(tensors.length).toBeGreaterThan(3);
    for (const [name, values] of tensors) {
      const exact = agent.networks.actor?.tensors[name] ?? new Float32Array();
      const step = exact.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / LEVELS;
      expect(new Set(values).size).toBeLessThanOrEqual(2 * LEVELS + 1);
      for (const [i, x] of values.entries())
        expect(Math.abs(x - (exact[i] ?? 0))).toBeLessThanOrEqual(step * 0.501);
    }
  });

  it("takes little more than half the bytes of half floats", () => {
    const halves = parted(packPolicy(policy)).body.length;
    expect(halves).toBe(2 * weightsOf(agent).length);
    expect(body.length).toBeLessThan(halves * 0.6);
  });

  it("keeps what it observed, as half floats", () => {
    const observed = { count: [9, 9, 9], mean: [0.5, -2, 0.25], variance: [1, 4, 0.5] };
    const observations = {
      count: Float32Array.from(observed.count),
      mean: Float32Array.from(observed.mean),
      variance: Float32Array.from(observed.variance),
    };
    const settings = {
      observations: true,
      rewards: false,
      clip_observations: 10,
      clip_rewards: 10,
      epsilon: 1e-8,
      reward_scale: 1,
      reward_clip: null,
    };
    const parts = quantisePolicy(
      { ...policy, agent: { ...agent, normalization: { settings, observations } } },
      LEVELS,
    );
    const read = unpackPolicy(joined(parts.header, parts.body)).agent.normalization?.observations;
    expect([[...(read?.mean ?? [])], [...(read?.variance ?? [])]]).toEqual([
      observed.mean,
      observed.variance,
    ]);
  });

  it("is refused where it is cut off or not one", () => {
    expect(() => unpackPolicy(joined(header, body.subarray(1)))).toThrow(/bytes after its header, and needs/);
    expect(() => unpackPolicy(joined("{", body))).toThrow("it is damaged");
    expect(() => unpackPolicy(new Uint8Array(3))).toThrow("it is incomplete");
  });
});
