/** What the layers of a policy give over a stretch of play. */
import { describe, expect, it } from "vitest";
import { findEnvironment } from "../../src/rl/environments.ts";
import { layerActivations } from "../../src/stage/layerActivations.ts";
import { WATCHED_STEPS } from "../../src/stage/stageProtocol.ts";
import { encodeAgent } from "../../src/training/files.ts";
import { agentOf } from "../rl/support/agents.ts";
import { CART_POLE } from "../sandbox/support/modules.ts";
import { agentFile } from "../ui/support/stageAgents.ts";
import { ownLanes } from "./inside/support/ownLane.ts";

const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0);

describe("activations", () => {
  it("are counted for each layer, at each step, the same each time", async () => {
    const layers = await layerActivations(agentFile(1));
    expect(layers.map(({ name, size }) => [name, size])).toEqual([
      ["actor.encoder.linear_1", 16],
      ["actor.encoder.output", 8],
      ["actor.head_net.linear_1", 16],
      ["actor.head_net.output", 2],
    ]);
    for (const { size, histogram } of layers) {
      expect(sum(histogram.counts)).toBe(size * WATCHED_STEPS);
      expect(histogram.max).toBeGreaterThan(histogram.min);
    }
    const [hidden] = layers;
    // Behind ReLU.
    expect(hidden?.histogram.min).toBe(0);
    expect(await layerActivations(agentFile(1))).toEqual(layers);
    expect(await layerActivations(agentFile(2))).not.toEqual(layers);
  });

  it("are those of all agents of a team", async () => {
    const environment = "simple_tag_v3";
    const env = findEnvironment(environment);
    const agent = agentOf({ name: "MADDPG" }, env);
    const bytes = new Uint8Array(encodeAgent(agent, { ...env, environment }));
    const layers = await layerActivations({ bytes, environment, env_config: null, module: null });
    const [first, ...others] = layers.filter(({ name }) => name.endsWith("linear_1"));
    // One network serves the three adversaries, another one the good agent.
    expect(first).toMatchObject({ name: "actors.adversary.encoder.linear_1", size: 3 * 16 });
    expect(sum(first?.histogram.counts ?? [])).toBe(3 * 16 * WATCHED_STEPS);
    expect(others.map(({ name }) => name)).toContain("actors.agent.encoder.linear_1");
  });

  it("are those of play in a person's own environment, over its episodes", async () => {
    const own = await ownLanes(CART_POLE);
    const layers = await layerActivations(own.member(1), async () => own.open());
    expect(layers.map(({ name }) => name)).toContain("actor.head_net.output");
    for (const { size, histogram } of layers) expect(sum(histogram.counts)).toBe(size * WATCHED_STEPS);
    expect(own.count).toMatchObject({ opened: 1, closed: 1 });
    expect(await layerActivations(own.member(2), async () => own.open())).not.toEqual(layers);
  });

  it("end the sandbox of an environment that fails", async () => {
    const own = await ownLanes(CART_POLE);
    const step = async () => {
      throw new Error("no step");
    };
    await expect(layerActivations(own.member(1), async () => own.open({ step }))).rejects.toThrow("no step");
    expect(own.count).toMatchObject({ opened: 1, closed: 1 });
  });

  it("are refused where nothing can be watched", async () => {
    await expect(layerActivations({ ...agentFile(1), environment: "user/mine" })).rejects.toThrow(
      "The code of user/mine is not available",
    );
    await expect(layerActivations({ ...agentFile(1), environment: "Teapot-v0" })).rejects.toThrow(
      'environment: unknown environment "Teapot-v0"',
    );
  });
});
