/** Commands with custom environments: training, resuming and evaluating the example, and reporting faults. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { openDataset } from "../../src/datasets/index.ts";
import { manifestToYaml, parseManifest } from "../../src/manifests/index.ts";
import { findCompiledEnvironment } from "../../src/rl/environments.ts";
import { Box, Discrete } from "../../src/rl/spaces.ts";
import { provideSandboxes } from "../../src/sandbox/sandboxes.ts";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { inProcess } from "../sandbox/inside/support/inProcess.ts";
import { CART_POLE, FORK, walk } from "../sandbox/support/modules.ts";
import { runCli } from "./support.ts";

beforeAll(() => provideSandboxes(inProcess));
afterAll(() => provideSandboxes(null));

const MANIFEST = readFileSync(path.join(root, "examples/environment/ppo-own-cartpole.yaml"), "utf8");

/** A store with the shortened example and a module. */
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
  const recording = await run("record", end.checkpoint_path, "--steps", "40", "--out", "data", "--json");
  expect(recording.stderr).toBe("");
  expect(JSON.parse(recording.stdout)).toMatchObject({ environment: "CartPole", steps: 40 });
  expect((await recorded(store, "data")).count).toBe(40);
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

/** Reads the transitions of a recorded data set, as training does. */
async function recorded(store: FileStore, dir: string) {
  const dataset = await openDataset(await store.read(`${dir}/data/main_data.hdf5`));
  const found = await dataset.transitions(findCompiledEnvironment("CartPole-v1"));
  dataset.close();
  return found;
}

const LEGAL = walk({
  reset: "{ observation: [0, 0.5], info: { action_mask: [0, 1] } }",
  fields:
    "step(action) { if (action !== steps % 2 ^ 1) throw new Error('illegal'); steps++; return { observation: [steps / 8, 0], reward: steps, terminated: steps === 3, truncated: false, info: { action_mask: steps % 2 === 0 ? [0, 1] : [1, 0] } }; },",
});

it("records random steps in a module, which training reads", async () => {
  const store = await storeWith(CART_POLE.replace("export default class", "export class"));
  const record = (out: string, ...more: readonly string[]) =>
    runCli(
      ["record", "random", "--environment", "cartpole.js:CartPole", "--steps", "60", "--out", out, ...more],
      { store },
    );
  const { code, stdout, stderr } = await record("rec", "--seed", "3", "--json");
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ environment: "cartpole.js", steps: 60 });
  await record("again", "--seed", "3");
  await record("other", "--seed", "4");
  const rows = await recorded(store, "rec");
  expect(rows.count).toBe(60);
  expect(await recorded(store, "again")).toEqual(rows);
  expect(await recorded(store, "other")).not.toEqual(rows);
  const inspected = await runCli(["data", "inspect", "rec", "--json"], { store });
  expect(JSON.parse(inspected.stdout)).toMatchObject({ steps: 60, environment: "cartpole.js" });
});

it("records legal steps alone, and nothing where the module fails", async () => {
  const store = await storeWith(LEGAL);
  const args = ["record", "random", "--environment", "cartpole.js", "--steps", "7", "--json", "--out"];
  const legal = await runCli([...args, "rec"], { store });
  expect([legal.code, legal.stderr]).toEqual([0, ""]);
  expect(JSON.parse(legal.stdout)).toMatchObject({ episodes: 3, mean: (6 + 6 + 1) / 3 });
  // Validation takes 20,000 steps of one environment. A later step fails.
  const late = walk({ before: "let calls = 0;", step: "if (++calls > 21_002) throw new Error('late');" });
  await store.write("cartpole.js", new TextEncoder().encode(late));
  const failed = await runCli([...args.with(5, "9000"), "none"], { store });
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringMatching(/cartpole\.js: .*late/)]);
  expect(await store.exists("none")).toBe(false);
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

it("records the masks of a module, which a data set then has", async () => {
  const store = memoryFileStore();
  await store.write("fork.js", new TextEncoder().encode(FORK));
  const args = ["record", "random", "--environment", "fork.js", "--steps", "20", "--out", "data"];
  expect((await runCli(args, { store })).code).toBe(0);
  const dataset = await openDataset(await store.read("data/data/main_data.hdf5"));
  expect(dataset.masked).toBe(true);
  const spaces = {
    observation_space: new Box({ low: 0, high: 9, shape: [2] }),
    action_space: new Discrete(3),
  };
  const { rows } = await dataset.transitions({ ...spaces, masked: true });
  const seen = Array.from({ length: 20 }, (_, row) => [...rows.obs.slice(row * 5, row * 5 + 5)]);
  expect(seen).toEqual(seen.map(([at = 0]) => [at, 1, 1, at === 0 ? 1 : at % 2, at === 0 ? 1 : 0]));
  dataset.close();
});
