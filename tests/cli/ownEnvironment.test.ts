/** The command in environments of one's own: the example trains, goes on, is evaluated; what is wrong is said before. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { provideSandboxes } from "../../src/sandbox/openSandbox.ts";
import { manifestToYaml, parseManifest } from "../../src/specs/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { inProcess } from "../sandbox/support/inProcess.ts";
import { CART_POLE } from "../sandbox/support/modules.ts";
import { runCli } from "./support.ts";

beforeAll(() => provideSandboxes(inProcess));
afterAll(() => provideSandboxes(null));

const MANIFEST = readFileSync(path.join(root, "examples/environment/ppo-own-cartpole.yaml"), "utf8");

/** The example made short, beside a module. */
async function storeWith(module: string) {
  const store = memoryFileStore();
  const parsed = parseManifest(MANIFEST);
  const algorithm = { ...parsed.algorithm, num_envs: 2, learn_step: 32, batch_size: 32 };
  const training = { ...parsed.training, max_steps: 64, evo_steps: 64, eval_steps: 20 };
  const environment = { ...parsed.environment, num_envs: 2 };
  const text = manifestToYaml(parseManifest({ ...parsed, algorithm, environment, training }));
  await store.write("m.yaml", new TextEncoder().encode(text));
  await store.write("cartpole.js", new TextEncoder().encode(module));
  return store;
}

it("trains in the example, and plays in the module that the run has kept, or in another", async () => {
  const store = await storeWith(CART_POLE);
  const run = (...args: readonly string[]) => runCli(args, { store });
  const { stdout, ...valid } = await run("validate", "m.yaml");
  expect(valid).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^m\.yaml is valid\n/);
  const trained = await run("train", "m.yaml", "--workers", "1", "--out", "out", "--json");
  expect([trained.code, trained.stderr]).toEqual([0, expect.not.stringMatching(/rlkit:|warning/)]);
  const end = JSON.parse(trained.stdout.trim().split("\n").at(-1) ?? "") as {
    readonly checkpoint_path: string;
  };
  const file = (await store.list(end.checkpoint_path)).map(({ name }) => name);
  expect(file).toContain("environment.js");

  await store.remove("cartpole.js");
  const kept = await run("evaluate", end.checkpoint_path, "--episodes", "2", "--json");
  expect(kept.stderr).toBe("");
  expect(JSON.parse(kept.stdout)).toMatchObject({ environment: "CartPole", episodes: 2 });
  await store.write("other.js", new TextEncoder().encode(CART_POLE));
  const other = await run(
    "evaluate",
    "out/elite.safetensors",
    "--environment",
    "other.js",
    "--episodes",
    "2",
    "--json",
  );
  expect(JSON.parse(other.stdout)).toMatchObject({
    environment: "other.js",
    returns: (JSON.parse(kept.stdout) as { readonly returns: unknown }).returns,
  });
});

it("says what is wrong with a module, with the line of the manifest that names it", async () => {
  const store = await storeWith(CART_POLE.replace("reward: 1", "reward: NaN"));
  const { code, stdout } = await runCli(["validate", "m.yaml", "--json"], { store });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    errors: [
      {
        path: "environment.path",
        message: expect.stringMatching(
          /^CartPole: validation: .*step 1: reward: found NaN, allowed a finite/,
        ),
        line: expect.any(Number),
      },
    ],
  });
  const trained = await runCli(["train", "m.yaml", "--out", "out"], { store });
  expect([trained.code, trained.stderr]).toEqual([
    1,
    expect.stringMatching(/environment\.path.*reward: found NaN/),
  ]);
  expect(await store.exists("out")).toBe(false);
});
