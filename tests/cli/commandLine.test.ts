import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { manifestJsonSchema } from "../../src/manifests/index.ts";
import { runCli, storeWithManifest, tinyManifest } from "./support.ts";

describe("rlkit", () => {
  it("shows its commands and exits 2 without one", async () => {
    const { code, stdout, stderr } = await runCli([]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/rlkit train \[MANIFEST\]/);
  });

  it.each([["--help"], ["-h"], ["help"]])("lists every command with %s", async (flag) => {
    const { code, stdout, stderr } = await runCli([flag]);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    for (const name of ["train", "validate", "evaluate", "export", "schema"])
      expect(stdout).toContain(`rlkit ${name}`);
  });

  it.each([[["train", "--help"]], [["help", "train"]]])("explains a command with %j", async (args) => {
    const { code, stdout } = await runCli(args);
    expect(code).toBe(0);
    for (const option of ["--device", "--seed", "--out", "--resume", "--workers", "--json"])
      expect(stdout).toMatch(new RegExp(`^  ${option}`, "m"));
  });

  it("shows the package's version", async () => {
    const { version } = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as { version: string };
    expect(await runCli(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("prints the JSON Schema of manifests", async () => {
    const { code, stdout } = await runCli(["schema"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(manifestJsonSchema())));
  });

  it.each([
    ["environments", "CartPole-v1"],
    ["algorithms", "DQN"],
    ["architectures", "mlp"],
  ])("lists all %s", async (kind, known) => {
    const { code, stdout } = await runCli(["list", kind]);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n")).toContain(known);
  });

  it("answers an unknown environment with the nearest three, once, as the workbench does", async () => {
    const store = await storeWithManifest(tinyManifest({}, { environment: { name: "CartPol-v1" } }));
    const { code, stderr } = await runCli(["validate", "m.json"], { store });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /did you mean "CartPole-v1"\? Nearest: CartPole-v1, [^,]+, [^,]+; all \d+: `rlkit list environments`/,
    );
    expect(stderr).not.toContain("Pendulum-v1");
  });

  it("shows where an error came from when DEBUG asks for it", async () => {
    vi.stubEnv("DEBUG", "1");
    const { code, stderr } = await runCli(["validate", "none.yaml"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^rlkit: .*\n.*\n {4}at .*(\n.*)*\ncaused by /);
  });

  it.each([
    [["trian"], /unknown command "trian".*did you mean train\?/],
    [["train"], /MANIFEST is missing; give a manifest's file, or a sweep's with --sweep FILE/],
    [["train", "a.yaml", "b.yaml"], /unexpected argument "b.yaml"/],
    [["train", "a.yaml", "--devise", "wasm"], /unknown option --devise;.*did you mean --device\?/],
    [
      ["train", "a.yaml", "--device", "wasn"],
      /--device: found "wasn", allowed auto, wasm, webgpu; did you mean wasm\?/,
    ],
    [["train", "a.yaml", "--seed"], /--seed needs a value/],
    [["train", "a.yaml", "--seed", "--json"], /--seed needs a value/],
    [["train", "a.yaml", "--seed", "1.5"], /--seed: found "1.5", allowed integers from 0/],
    [["train", "a.yaml", "--seed=-1"], /--seed: found "-1", allowed integers from 0/],
    [
      ["train", "a.yaml", "--seed", "9007199254740993"],
      /--seed: found "9007199254740993", allowed integers from 0 to 9007199254740991/,
    ],
    [["train", "a.yaml", "--workers", "0"], /--workers: found "0", allowed integers from 1/],
    [["train", "a.yaml", "--out="], /--out: the value is empty/],
    [["train", "a.yaml", "--json=yes"], /--json takes no value/],
    [["evaluate", "a.safetensors", "--episodes", "many"], /--episodes: found "many"/],
    [["evaluate", "a.safetensors", "--environment", "CartPol-v1"], /did you mean "CartPole-v1"\?/],
    [["list", "enviroments"], /KIND: found "enviroments", allowed .*did you mean environments\?/],
    [["schema", "now"], /unexpected argument "now"/],
  ])("refuses %j with one line and exit code 2", async (args, message) => {
    const { code, stderr } = await runCli(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});
