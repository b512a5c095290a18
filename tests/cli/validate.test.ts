import { describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { runCli, storeWithManifest, tinyManifest, writeText } from "./support.ts";

const withManifest = async (text: string) => ({ store: await storeWithManifest(text) });

interface Verdict {
  readonly ok: boolean;
  readonly errors: readonly { readonly path: string; readonly message: string; readonly line?: number }[];
}

const verdictOf = (stdout: string): Verdict => JSON.parse(stdout) as Verdict;

describe("rlkit validate", () => {
  it("accepts a valid manifest", async () => {
    const setting = await withManifest(tinyManifest());
    const { code, stdout } = await runCli(["validate", "m.json"], setting);
    expect([code, stdout]).toEqual([0, "m.json is valid\n"]);
    const json = await runCli(["validate", "m.json", "--json"], setting);
    expect([json.code, json.stdout]).toEqual([0, '{"ok":true}\n']);
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
      /CartPole-v1/,
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
    expect([code, stdout]).toEqual([0, '{"ok":true}\n']);
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
});
