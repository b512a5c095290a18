/** What the command line says about modules of a user's own: where one is missing, and where one does not load. */
import { describe, expect, it } from "vitest";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { decodeAgent, encodeAgent } from "../../src/training/files.ts";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";
import { runProcess } from "./runProcess.ts";
import { runCli, storeWithManifest, tinyManifest, writeText } from "./support.ts";

const HINT = "; if a module of yours registers it, add --module FILE";

describe("an environment that a module registers", () => {
  it("is asked for where an agent was trained in it", async () => {
    const store = await storeWithManifest();
    await runCli(["train", "m.json", "--workers", "1", "--out", "out"], { store });
    const { agent } = decodeAgent(await store.read("out/elite.safetensors"), "elite");
    await store.write("elevator.safetensors", encodeAgent(agent, { environment: "my/Elevator-v0" }));
    for (const args of [
      ["evaluate", "elevator.safetensors"],
      ["export", "elevator.safetensors", "--onnx", "policy.onnx"],
    ]) {
      const { code, stderr } = await runCli(args, { store });
      expect(code).toBe(2);
      expect(stderr).toContain('elevator.safetensors: unknown environment "my/Elevator-v0"; nearest: ');
      expect(stderr.trimEnd().endsWith(HINT)).toBe(true);
    }
    const named = await runCli(["evaluate", "out/elite.safetensors", "--environment", "my/Elevator-v0"], {
      store,
    });
    expect(named.code).toBe(2);
    expect(named.stderr).toContain('--environment: unknown environment "my/Elevator-v0"');
    expect(named.stderr).toContain(HINT);
  });

  it("is asked for where a manifest names it", async () => {
    const store = await storeWithManifest(tinyManifest({}, { environment: { name: "my/Elevator-v0" } }));
    for (const command of ["validate", "train"]) {
      const { code, stderr } = await runCli([command, "m.json"], { store });
      expect(code).toBe(1);
      expect(stderr).toContain('unknown environment "my/Elevator-v0"; nearest: ');
      expect(stderr).toContain(HINT);
    }
  });
});

describe("what else a module registers", () => {
  const network = (arch: string, algorithm: string) =>
    tinyManifest(
      {},
      {
        algorithm: { name: algorithm },
        network: { encoder_config: { arch }, head_config: { hidden_size: [8] } },
      },
    );

  it.each([
    ["an algorithm", network("mlp", "MyDQN"), 'unknown algorithm "MyDQN"; nearest: DQN'],
    ["a kind of network", network("wavelet", "DQN"), 'unknown architecture "wavelet"; available: mlp'],
  ])("%s is asked for where a manifest names it", async (_what, manifest, message) => {
    const store = await storeWithManifest(manifest);
    for (const command of ["validate", "train"]) {
      const { code, stderr } = await runCli([command, "m.json"], { store });
      expect(code).toBe(1);
      expect(stderr.split("\n").find((line) => line.includes(message))).toContain(HINT);
    }
  });

  it.each([
    ["a known kind that does not fit", network("cnn", "DQN"), "encoder_config"],
    [
      "a head, whose kinds cannot be added to",
      tinyManifest({}, { network: { head_config: { arch: "wavelet", hidden_size: [8] } } }),
      "head_config.arch",
    ],
  ])("no module is asked for: %s", async (_what, manifest, place) => {
    const { code, stderr } = await runCli(["validate", "m.json"], {
      store: await storeWithManifest(manifest),
    });
    expect(code).toBe(1);
    expect(stderr).toContain(place);
    expect(stderr).not.toContain(HINT);
  });
});

describe("a module that Node does not load", () => {
  it.each([
    ["module.tsx", "export const x: number = 1;", "; give the compiled JavaScript"],
    [
      "module.js",
      'import "rlkit/extending/environment";',
      "; install rlkit beside the module, or export `register`",
    ],
    ["module.mjs", 'import "no-such-package";', "Cannot find package 'no-such-package'"],
  ])("%s: the message says what to do", async (file, code, message) => {
    await withTemporaryDirectory(async (dir) => {
      const store = nodeFileStore(dir);
      await writeText(store, "m.json", tinyManifest());
      await writeText(store, file, code);
      const { code: exit, stderr } = await runProcess(dir, ["validate", "m.json", "--module", file]);
      expect(exit).toBe(1);
      expect(stderr).toContain("--module: modules: file://");
      expect(stderr).toContain(message);
    });
  });
});
