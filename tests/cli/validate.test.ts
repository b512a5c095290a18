// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import { parseManifest } from "../../src/manifests/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { LocalTrainer } from "../../src/training/index.ts";
import { estimateRun, type RunEstimate } from "../../src/training/plan.ts";
import { LATER, registerLater } from "../specs/laterAlgorithm.ts";
import { runCli, storeWithManifest, tinyManifest, writeText } from "./support.ts";

registerLater();

const withManifest = async (text: string) => ({ store: await storeWithManifest(text) });

interface Problem {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
}

interface Verdict {
  readonly ok: boolean;
  readonly errors: readonly Problem[];
  readonly unsupported: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly translations: readonly Problem[];
  readonly estimate: RunEstimate | null;
}

const verdictOf = (stdout: string): Verdict => JSON.parse(stdout) as Verdict;

describe("rlkit validate", () => {
  it("says which settings of a language model have no effect", async () => {
    const manifest = {
      algorithm: { name: "GRPO", use_vllm: true, reduce_memory_peak: true, action_granularity: "turn" },
      environment: { env_type: "rollout", entrypoint: "rlkit/ConstantTarget" },
      network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 16 },
    };
    const { code, stdout, stderr } = await runCli(
      ["validate", "m.json"],
      await withManifest(JSON.stringify(manifest)),
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^m\.json is valid\nneeds about [\d.]+ MB of memory: population .*\n {2}base .*\n {2}adapters .*caches .*\n {2}transients .*logits.*sequences have up to \d+ tokens\n$/,
    );
    expect(stderr).toBe(
      "m.json: algorithm.reduce_memory_peak, algorithm.use_vllm, algorithm.action_granularity: no effect in this run\n",
    );
  });

  it("accepts a valid manifest", async () => {
    const setting = await withManifest(tinyManifest());
    const { code, stdout } = await runCli(["validate", "m.json"], setting);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^m\.json is valid\nneeds about [\d.]+ MB of memory: population .*, replay buffer .*\n$/,
    );
    const json = await runCli(["validate", "m.json", "--json"], setting);
    expect(json.code).toBe(0);
    expect(verdictOf(json.stdout)).toEqual({
      ok: true,
      errors: [],
      unsupported: [],
      warnings: [],
      translations: [],
      estimate: estimateRun(parseManifest(tinyManifest())),
    });
  });

  it("says how much a population learns by the transitions of all", async () => {
    const training = { learn_from: "population", pop_size: 4, max_replay_ratio: 1.125 };
    const setting = await withManifest(tinyManifest(training, { algorithm: { name: "DQN", learn_step: 3 } }));
    const { code, stdout } = await runCli(["validate", "m.json"], setting);
    expect(code).toBe(0);
    expect(stdout).toContain(
      " MB in each thread; each agent takes up to 1.13 learning steps per transition that it collects",
    );
  });

  it("says how many episodes of evaluation near ties and the end add", async () => {
    const training = { pop_size: 8, tie_episodes: 5, final_episodes: 30 };
    const told = async (selection_strategy: object) => {
      const sections = { environment: { name: "CartPole-v1", num_envs: 4 }, selection_strategy };
      const { stdout } = await runCli(
        ["validate", "m.json"],
        await withManifest(tinyManifest(training, sections)),
      );
      return stdout.split("each thread; ")[1];
    };
    expect(await told({ strategy: "truncation" })).toBe(
      "near ties add up to 64 episodes to each generation's evaluations; the final evaluation has up to 288 episodes\n",
    );
    expect(await told({ strategy: "halving" })).toContain("the final evaluation has up to 64 episodes\n");
  });

  it("lists every problem with its place, and the key that was probably meant", async () => {
    const text = "algorithm:\n  name: DQN\n  gama: 0.9\n  lr: -1\nenvironment: {name: CartPole-v1}\n";
    const setting = await withManifest(text);
    const { code, stdout } = await runCli(["validate", "m.json", "--json"], setting);
    expect(code).toBe(1);
    const { ok, errors } = verdictOf(stdout);
    expect(ok).toBe(false);
    expect(errors.map(({ path, line }) => [path, line])).toEqual(
      expect.arrayContaining([
        ["algorithm.gama", 3],
        ["algorithm.lr", 4],
      ]),
    );
    expect(errors.find(({ path }) => path === "algorithm.gama")?.message).toContain("gamma");

    const plain = await runCli(["validate", "m.json"], setting);
    expect([plain.code, plain.stdout]).toEqual([1, ""]);
    expect(plain.stderr).toMatch(/^m\.json: .*\n(.*\n)*.*algorithm\.gama.*gamma.*line 3/);
  });

  it.each([
    [
      "environment.env_config.gg",
      3,
      "algorithm: {name: DQN}\n\nenvironment: {name: LunarLander-v3, env_config: {gg: 1}}",
    ],
    ["environment.name", 2, "algorithm: {name: DQN}\nenvironment: {name: Pendulum-v1}"],
    [
      "network.encoder_config.arch",
      3,
      "algorithm: {name: DQN}\nenvironment: {name: CartPole-v1}\nnetwork: {encoder_config: {arch: cnn, channel_size: [8], kernel_size: [2], stride_size: [1]}, head_config: {hidden_size: [64]}}",
    ],
  ])("finds what does not suit the environment: %s", async (path, line, text) => {
    const { code, stdout } = await runCli(["validate", "m.json", "--json"], await withManifest(text));
    expect(code).toBe(1);
    expect(verdictOf(stdout).errors).toMatchObject([{ path, line }]);
  });

  it.each([
    ["an unknown algorithm", tinyManifest({}, { algorithm: { name: "DQM" } }), "algorithm.name", /DQN/],
    [
      "an unknown environment",
      tinyManifest({}, { environment: { name: "CartPole-v7" } }),
      "environment.name",
      /CartPole-v1.*; if a module of yours registers it, add --module FILE$/,
    ],
    ["text that is no JSON", "algorithm: [1, 2\nb: }", "", /^not valid JSON: /],
  ])("refuses %s", async (_, text, path, message) => {
    const { code, stdout } = await runCli(["validate", "m.json", "--json"], await withManifest(text));
    expect(code).toBe(1);
    const [error] = verdictOf(stdout).errors;
    expect(error?.path).toBe(path);
    expect(error?.message).toMatch(message);
  });

  it("exits 2 for a file that is not there or is no text", async () => {
    const store = memoryFileStore();
    await store.write("picture.yaml", Uint8Array.of(0xff, 0xd8, 0xff));
    for (const path of ["nothing.yaml", "picture.yaml"]) {
      const { code, stdout, stderr } = await runCli(["validate", path, "--json"], { store });
      expect(code).toBe(2);
      const { ok, errors } = verdictOf(stdout);
      expect([ok, errors.length]).toEqual([false, 1]);
      expect(stderr).toContain(path);
    }
  });

  it("warns of what is odd and still valid, apart from the verdict", async () => {
    const store = memoryFileStore();
    await writeText(store, "m.json", tinyManifest({ pop_size: 1 }));
    const { code, stdout, stderr } = await runCli(["validate", "m.json", "--json"], { store });
    expect(code).toBe(0);
    expect(verdictOf(stdout)).toMatchObject({ ok: true, warnings: [{ path: "training.pop_size" }] });
    expect(stderr).toContain("pop_size");
  });

  it("warns once of noise that finds no reward in MountainCarContinuous-v0", async () => {
    const warned = async (noise: string) => {
      const text = `algorithm: {name: TD3${noise}}\nenvironment: {name: MountainCarContinuous-v0}\n`;
      const { code, stderr } = await runCli(["validate", "m.json"], await withManifest(text));
      return [code, stderr.split("\n").filter((line) => line.includes("algorithm.expl_noise is 0.1"))];
    };
    expect(await warned("")).toEqual([0, [expect.stringContaining("expl_noise: 0.5, O_U_noise: true")]]);
    expect(await warned(", expl_noise: 0.5")).toEqual([0, []]);
  });

  it.each<[string, object]>([
    ["environment.env_wrappers", { environment: { name: "CartPole-v1", env_wrappers: ["ClipReward"] } }],
    ["environment.entrypoint", { environment: { name: "CartPole-v1", entrypoint: "my.module:Env" } }],
    ["environment.path", { environment: { name: "CartPole-v1", path: "env.py" } }],
    ["environment.entrypoint", { environment: { name: "Mine-v0", custom: true, entrypoint: "my.module" } }],
    ["environment.env_config", { environment: { name: "CartPole-v1", env_config: "config.yaml" } }],
    ["algorithm.name", { algorithm: { name: LATER }, replay_buffer: null }],
  ])("refuses what this build does not have, and says so apart from mistakes: %s", async (path, sections) => {
    const text = tinyManifest({}, sections);
    const { code, stdout, stderr } = await runCli(["validate", "m.json", "--json"], await withManifest(text));
    expect(code).toBe(1);
    expect(verdictOf(stdout)).toMatchObject({
      ok: false,
      errors: [],
      unsupported: [{ path }],
      estimate: null,
    });
    expect(stderr).not.toContain("does not train it yet");
    const plain = await runCli(["validate", "m.json"], await withManifest(text));
    expect([plain.code, plain.stdout]).toEqual([1, ""]);
    expect(plain.stderr).toContain(`m.json: not supported yet: ${path}: `);
    await expect(LocalTrainer.fromManifest(text)).rejects.toThrow(path);
  });

  it("refuses a replay buffer that is too small for the environments, as training does", async () => {
    const text = tinyManifest({ pop_size: 4 }, { replay_buffer: { max_size: 4 } });
    const { code, stdout } = await runCli(["validate", "m.json", "--json"], await withManifest(text));
    expect(code).toBe(1);
    expect(verdictOf(stdout).errors).toMatchObject([{ path: "replay_buffer.max_size", line: 1 }]);
    await expect(LocalTrainer.fromManifest(text)).rejects.toThrow(/replay_buffer\.max_size/);
  });

  it("gives translations of older keys as data, also of a manifest that is refused", async () => {
    const old = { training: { max_steps: 64, replay_buffer: {} } };
    const good = await runCli(["validate", "m.json", "--json"], await withManifest(tinyManifest({}, old)));
    expect(verdictOf(good.stdout)).toMatchObject({
      ok: true,
      translations: [{ path: "training.replay_buffer", message: expect.stringContaining("2.x") }],
    });
    const text = tinyManifest({}, { ...old, environment: { name: "CartPole-v1", path: "x" } });
    const refused = await runCli(["validate", "m.json", "--json"], await withManifest(text));
    expect(verdictOf(refused.stdout)).toMatchObject({
      ok: false,
      unsupported: [{ path: "environment.path" }],
      translations: [{ path: "training.replay_buffer" }],
    });
  });
});
