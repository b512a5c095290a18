/** What the layers of a policy give over a stretch of play. */
import { describe, expect, it } from "vitest";
import { findEnvironment } from "../../src/rl/environments/index.ts";
import { layerActivations } from "../../src/stage/layerActivations.ts";
import { WATCHED_STEPS } from "../../src/stage/watchedSteps.ts";
import { encodeAgent } from "../../src/training/files/agentFile.ts";
import { agentOf } from "../rl/support/agents.ts";
import { agentFile } from "../ui/support/stageAgents.ts";

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

  it("are refused where nothing can be watched", async () => {
    await expect(layerActivations({ ...agentFile(1), environment: "user/mine" })).rejects.toThrow(
      "user/mine runs in a sandbox alone, where no layers can be watched.",
    );
    await expect(layerActivations({ ...agentFile(1), environment: "Ant-v5" })).rejects.toThrow(
      'environment: found "Ant-v5"',
    );
  });
});
