/** The examples with custom data: a data set and a table. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { manifestToYaml, parseManifest } from "../../src/manifests/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { runCli } from "./support.ts";

const textOf = (file: string): string => readFileSync(path.join(root, "examples", file), "utf8");

/** A store with these files and a shortened manifest. */
async function storeWith(manifest: string, files: readonly string[]) {
  const store = memoryFileStore();
  const parsed = parseManifest(textOf(manifest));
  const training = {
    ...parsed.training,
    max_steps: 60,
    evo_steps: 30,
    episode_steps: 30,
    eval_steps: 20,
    pop_size: 2,
  };
  await store.write("m.yaml", new TextEncoder().encode(manifestToYaml({ ...parsed, training })));
  for (const file of files) await store.write(path.basename(file), new TextEncoder().encode(textOf(file)));
  return store;
}

describe("examples", () => {
  it("offline/cqn-cartpole.yaml learns from what its comment records", async () => {
    const manifest = "offline/cqn-cartpole.yaml";
    const store = await storeWith(manifest, []);
    const recording = /rlkit (record .*)/.exec(textOf(manifest))?.[1] ?? "";
    const args = recording.replace("50_000", "500").split(" ");
    expect((await runCli(args, { store })).stderr).toBe("");
    const { code, stderr } = await runCli(
      ["train", "m.yaml", "--workers", "1", "--device", "wasm", "--out", "out"],
      { store },
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(await store.exists("out/elite.safetensors")).toBe(true);
  });

  it("bandit/neural-ucb-flowers.yaml chooses in its table", async () => {
    const store = await storeWith("bandit/neural-ucb-flowers.yaml", [
      "bandit/features.csv",
      "bandit/targets.csv",
    ]);
    const { code, stderr } = await runCli(["train", "m.yaml", "--workers", "1", "--out", "out"], { store });
    expect([code, stderr]).toEqual([0, ""]);
    expect(await store.exists("out/elite.safetensors")).toBe(true);
  });
});
