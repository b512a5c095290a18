import { describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { runCli } from "./support.ts";

describe("a directory in place of a manifest", () => {
  it.each(["validate", "train"])("is told as such by rlkit %s", async (command) => {
    const store = memoryFileStore();
    await store.write("runs/first/manifest.yaml", new TextEncoder().encode("algorithm: {name: DQN}"));
    const { code, stderr } = await runCli([command, "runs/first"], { store });
    expect(code).toBe(2);
    expect(stderr).toBe(
      "rlkit: the manifest cannot be read: runs/first: is a directory, and a manifest is a YAML or JSON file; give a manifest in it, such as manifest.yaml\n",
    );
  });
});
