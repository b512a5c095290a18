/** Commands with multi-agent members. */
import { beforeAll, describe, expect, it } from "vitest";
import type { FileStore } from "../../src/storage/index.ts";
import { decodeAgent } from "../../src/training/files.ts";
import { RuntimeModel } from "../support/onnxRuntime.ts";
import { eventsOf, runCli, storeWithManifest, tinyManifest } from "./support.ts";

const TEAM = tinyManifest(
  { max_steps: 200, evo_steps: 100, learning_delay: 0 },
  {
    algorithm: { name: "MADDPG", batch_size: 16, learn_step: 8 },
    environment: { name: "mpe2.simple_speaker_listener_v4", num_envs: 2 },
  },
);

let store: FileStore;
const run = (...args: string[]) => runCli(args, { store });

beforeAll(async () => {
  store = await storeWithManifest(TEAM);
  const { code, stdout } = await run("train", "m.json", "--workers", "1", "--out", "out", "--json");
  expect(code).toBe(0);
  const members = eventsOf(stdout).find(({ event }) => event === "generation")?.members;
  expect(members).toMatchObject([{ agent_fitness: { speaker_0: expect.any(Number) } }, {}]);
});

describe("several agents in the command line", () => {
  it("are validated, their needs counted", async () => {
    const { code, stdout } = await run("validate", "m.json");
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^m\.json is valid\nneeds about .* replay buffer/),
    ]);
  });

  it("are refused in an environment of one, with both names", async () => {
    const other = await storeWithManifest(tinyManifest({}, { algorithm: { name: "MATD3" } }));
    for (const command of ["validate", "train"]) {
      const { code, stderr } = await runCli([command, "m.json"], { store: other });
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(
          "environment.name: MATD3 trains several agents, but CartPole-v1 has only one",
        ),
      ]);
    }
  });

  it("go on from a checkpoint", async () => {
    const { code, stderr } = await run(
      "train",
      "m.json",
      "--workers",
      "1",
      "--out",
      "more",
      "--resume",
      "out",
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining("resuming from out/checkpoint_")]);
    const { agent } = decodeAgent(await store.read("more/elite.safetensors"), "f");
    expect(Object.keys(agent.agent_fitness ?? {})).toEqual(["speaker_0", "listener_0"]);
  });

  it("are evaluated together and each", async () => {
    const { code, stdout } = await run("evaluate", "out/elite.safetensors", "--episodes", "3", "--json");
    expect(code).toBe(0);
    const said = JSON.parse(stdout);
    const { speaker_0, listener_0 } = said.agent_returns;
    expect(said.environment).toBe("simple_speaker_listener_v4");
    expect([speaker_0.length, listener_0.length]).toEqual([3, 3]);
    said.returns.forEach((total: number, i: number) => {
      expect(total).toBeCloseTo(speaker_0[i] + listener_0[i], 10);
    });
    expect(said.agent_means.listener_0).toBeCloseTo((listener_0[0] + listener_0[1] + listener_0[2]) / 3, 10);
    // By the environment's name in its package.
    const named = ["--environment", "mpe2.simple_speaker_listener_v4"];
    const text = await run("evaluate", "out/elite.safetensors", "--episodes", "3", ...named);
    expect(text.stdout).toContain(
      `\nEach agent's mean: speaker_0 ${said.agent_means.speaker_0.toFixed(2)}, listener_0 ${said.agent_means.listener_0.toFixed(2)}\n`,
    );
  });

  it("are not evaluated in a world of others", async () => {
    const { code, stderr } = await run(
      "evaluate",
      "out/elite.safetensors",
      "--environment",
      "simple_spread_v3",
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /elite\.safetensors: holds MADDPG agents of another environment than simple_spread_v3: .*found networks for agent, but the stored agent has speaker_0, listener_0/,
      ),
    ]);
  });

  it("are exported in one model, or one of them alone", async () => {
    const names = async (...args: string[]) => {
      const { code } = await run("export", "out/elite.safetensors", "--onnx", "p.onnx", ...args);
      expect(code).toBe(0);
      const model = await RuntimeModel.load(await store.read("p.onnx"));
      const found = [model.inputs, model.outputs].map((values) => values.map(({ name }) => name).sort());
      await model.release();
      return found;
    };
    expect(await names()).toEqual([
      ["observation.listener_0", "observation.speaker_0"],
      ["action.listener_0", "action.speaker_0", "logits.listener_0", "logits.speaker_0"],
    ]);
    expect(await names("--agent", "listener_0", "--mask")).toEqual([
      ["action_mask", "observation"],
      ["action", "logits"],
    ]);
    const { code, stderr } = await run(
      "export",
      "out/elite.safetensors",
      "--onnx",
      "p.onnx",
      "--agent",
      "deaf",
    );
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--agent: found "deaf", allowed speaker_0, listener_0'),
    ]);
  });
});
