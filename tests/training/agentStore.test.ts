import { describe, expect, it } from "vitest";
import { DQN, type SupportedAgent } from "../../src/agents/classes.ts";
import { loadAgent as loadStored, PPO } from "../../src/agents/index.ts";
import { Box, Discrete } from "../../src/rl/spaces.ts";
import { isStorageError, memoryFileStore } from "../../src/storage/index.ts";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { encodeAgent } from "../../src/training/files.ts";
import { loadAgent, saveAgent } from "../../src/training/index.ts";
import { agentOf } from "../rl/support/agents.ts";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";

const observation_space = new Box({ low: -1, high: 1, shape: [3] });
const spaces = { observation_space, action_space: new Discrete(4) };

const batch = {
  obs: Float32Array.from({ length: 24 }, (_, i) => i / 24),
  action: Int32Array.from({ length: 8 }, (_, i) => i % 4),
  reward: Float32Array.from({ length: 8 }, (_, i) => i % 3),
  next_obs: Float32Array.from({ length: 24 }, (_, i) => 1 - i / 24),
  done: new Uint8Array(8),
};

const agents: [string, () => SupportedAgent][] = [
  ["DQN", () => new DQN({ ...spaces, lr: 1e-2, index: 3 })],
  ["PPO", () => new PPO({ ...spaces, action_space: new Box({ low: -2, high: 2 }), learn_step: 8 })],
];

describe("an agent's file", () => {
  it.each(agents)("gives the same agent back (%s)", async (_name, make) => {
    const store = memoryFileStore();
    const agent = make();
    if (agent instanceof DQN) agent.learn(batch);
    await saveAgent(agent, "agents/best.safetensors", { store });
    const read = await loadAgent("agents/best.safetensors", { store });
    expect(read).toBeInstanceOf(agent.constructor);
    expect(read.state).toEqual(agent.state);
    expect([read.observation_space, read.action_space]).toEqual([
      agent.observation_space,
      agent.action_space,
    ]);
    const obs = [0.1, 0.2, 0.3];
    expect(read.getAction(obs, { training: false })).toEqual(agent.getAction(obs, { training: false }));
    if (!(agent instanceof DQN)) return;
    expect((read as DQN).learn(batch)).toBe(agent.learn(batch));
    expect(read.state).toEqual(agent.state);
  });

  it("takes spaces from the caller where it has none, and says so where nobody has", async () => {
    const store = memoryFileStore();
    const state = agentOf({ name: "DQN" }, spaces);
    await store.write("a.safetensors", encodeAgent(state));
    expect((await loadAgent("a.safetensors", { store, ...spaces })).state).toEqual(state);
    const error = await loadAgent("a.safetensors", { store }).catch((e: unknown) => e);
    expect(isStorageError(error, "version")).toBe(true);
    expect(String(error)).toContain("give observation_space and action_space");
    const missing = await loadAgent("b.safetensors", { store }).catch((e: unknown) => e);
    expect(isStorageError(missing, "not_found")).toBe(true);
  });
});

describe("agent.save and load", () => {
  it("agree on the file's ending, which a path may lack", async () => {
    await withTemporaryDirectory(async (directory) => {
      const store = nodeFileStore();
      for (const [given, file] of [
        ["v1.2", "v1.2.safetensors"],
        ["old.pt", "old.safetensors"],
      ] as const) {
        const agent = new DQN({ ...spaces, lr: 0.5 });
        await agent.save(`${directory}/${given}`);
        expect(await store.exists(`${directory}/${given}`)).toBe(false);
        for (const path of [given, file])
          expect((await DQN.load(`${directory}/${path}`)).state).toEqual(agent.state);
      }
      // A file that was renamed is read as it is called.
      await store.rename(`${directory}/old.safetensors`, `${directory}/best.agent`);
      expect((await DQN.load(`${directory}/best.agent`)).hyperparameters.lr).toBe(0.5);
      await expect(DQN.load(`${directory}/none`)).rejects.toThrow(`${directory}/none: no such file`);
    });
  });

  it("keep the agent on disk in Node", async () => {
    await withTemporaryDirectory(async (directory) => {
      const agent = new DQN({ ...spaces, lr: 0.5 });
      const path = `${directory}/agents/first.safetensors`;
      await agent.save(path);
      expect((await DQN.load(path)).state).toEqual(agent.state);
      expect((await loadStored(path)).state).toEqual(agent.state);
      await expect(PPO.load(path)).rejects.toThrow("found a DQN agent, allowed PPO");
    });
  });
});
