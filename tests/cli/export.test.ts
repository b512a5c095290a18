import { beforeAll, describe, expect, it } from "vitest";
import { agentFromState } from "../../src/agents/classes.ts";
import { make } from "../../src/rl/environments.ts";
import type { FileStore } from "../../src/storage/index.ts";
import { decodeAgent, encodeAgent } from "../../src/training/files.ts";
import { describeModel } from "../support/onnxFile.ts";
import { RuntimeModel } from "../support/onnxRuntime.ts";
import { runCli, storeWithManifest, tinyManifest } from "./support.ts";

let store: FileStore;
beforeAll(async () => {
  store = await storeWithManifest();
  expect((await runCli(["train", "m.json", "--workers", "1", "--out", "out"], { store })).code).toBe(0);
});

const OBSERVATIONS = [0.1, 0.4, -0.2, 0.3, -0.1, -0.7, 0.05, 0.9];

/** Actions of the exported model for OBSERVATIONS. */
async function actionsOf(path: string): Promise<readonly number[]> {
  const model = await RuntimeModel.load(await store.read(path));
  const { action } = await model.run({
    observation: { type: "float32", shape: [2, 4], values: OBSERVATIONS },
  });
  await model.release();
  return action?.values ?? [];
}

describe("rlkit export", () => {
  it("writes a checkpoint's elite as a model that acts as it does", async () => {
    const { code, stdout, stderr } = await runCli(
      ["export", "out/checkpoint_1200", "--onnx", "models/policy.onnx"],
      {
        store,
      },
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^models\/policy\.onnx: policy of DQN agent \d+ trained in CartPole-v1, \d+ bytes\n$/,
    );
    const { agent } = decodeAgent(await store.read("out/elite.safetensors"), "elite");
    const { observation_space, action_space } = make("CartPole-v1");
    const own = agentFromState(agent, { observation_space, action_space });
    const expected = own.getAction(OBSERVATIONS, { num_envs: 2, training: false }) as Int32Array;
    expect(await actionsOf("models/policy.onnx")).toEqual([...expected]);
  });

  it("says in the model what it is", async () => {
    await runCli(["export", "out/elite.safetensors", "--onnx", "a.onnx"], { store });
    const { metadata, producer } = describeModel(await store.read("a.onnx"));
    expect(producer).toBe("rlkit");
    expect(metadata).toMatchObject({ algorithm: "DQN", environment: "CartPole-v1" });
    expect(JSON.parse(metadata.action_space ?? "")).toEqual({ kind: "Discrete", n: 2, start: 0 });
  });

  it("takes the spaces of the file where no environment is known", async () => {
    const { agent } = decodeAgent(await store.read("out/elite.safetensors"), "elite");
    const { observation_space, action_space } = make("CartPole-v1");
    await store.write("own.safetensors", encodeAgent(agent, { observation_space, action_space }));
    const { code, stdout } = await runCli(["export", "own.safetensors", "--onnx", "own.onnx"], { store });
    expect(code).toBe(0);
    expect(stdout).not.toContain("trained in");
    expect(await actionsOf("own.onnx")).toHaveLength(2);
  });

  it("exports RainbowDQN, whose outputs are distributions", async () => {
    const rainbow = tinyManifest(
      { pop_size: 1, hpo: false, max_steps: 200 },
      { algorithm: { name: "RainbowDQN", batch_size: 16, num_atoms: 11 } },
    );
    const other = await storeWithManifest(rainbow);
    const trained = await runCli(["train", "m.json", "--workers", "1", "--out", "out"], { store: other });
    expect([trained.code, trained.stderr]).toEqual([0, ""]);
    const { code } = await runCli(["export", "out/elite.safetensors", "--onnx", "r.onnx"], { store: other });
    expect(code).toBe(0);
    const model = await RuntimeModel.load(await other.read("r.onnx"));
    expect(model.outputs.map(({ name }) => name)).toEqual(["q_values", "action"]);
    await model.release();
  });

  it("gives the model an input for what is legal when asked", async () => {
    const args = ["export", "out/elite.safetensors", "--onnx", "masked.onnx", "--mask"];
    expect((await runCli(args, { store })).code).toBe(0);
    const model = await RuntimeModel.load(await store.read("masked.onnx"));
    const actions = async (legal: readonly number[]) => {
      const { action } = await model.run({
        observation: { type: "float32", shape: [2, 4], values: OBSERVATIONS },
        action_mask: { type: "float32", shape: [2, 2], values: legal },
      });
      return action?.values;
    };
    expect(await actions([1, 0, 0, 1])).toEqual([0, 1]);
    expect(await actions([0, 1, 1, 0])).toEqual([1, 0]);
    expect(await actions([1, 1, 1, 1])).toEqual(await actionsOf("models/policy.onnx"));
    await model.release();
  });

  it.each([
    [["export", "out/checkpoint_1200"], 2, /--onnx FILE is missing; usage: rlkit export CHECKPOINT/],
    [["export", "nowhere", "--onnx", "x.onnx"], 2, /nowhere: no checkpoint is there/],
    [["export", "bare.safetensors", "--onnx", "x.onnx"], 2, /give --environment NAME/],
    [
      ["export", "bare.safetensors", "--onnx", "x.onnx", "--environment", "Acrobot-v1"],
      1,
      /of another environment than Acrobot-v1: .*found 6 finite numbers .*, but the stored agent reads 4 numbers/,
    ],
  ] as const)("refuses %j", async (args, code, message) => {
    const { agent } = decodeAgent(await store.read("out/elite.safetensors"), "elite");
    await store.write("bare.safetensors", encodeAgent(agent));
    const result = await runCli(args, { store });
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
    expect(await store.exists("x.onnx")).toBe(false);
  });
});
