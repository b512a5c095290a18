import { describe, expect, it } from "vitest";
import { EliteDirectory } from "../../src/storage/checkpoints.ts";
import { type FileStore, listCheckpoints, memoryFileStore, readCheckpoint } from "../../src/storage/index.ts";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { decodeAgent } from "../../src/training/files.ts";
import { LocalTrainer } from "../../src/training/index.ts";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";
import { eventsOf, runCli, storeWithManifest, tinyManifest, writeText } from "./support.ts";

const train = ["train", "m.json", "--workers", "1"];

/** Kinds of the events in order, without the warning about short generations. */
const kinds = (stdout: string): string[] =>
  eventsOf(stdout)
    .filter(({ event, message }) => event !== "warning" || !String(message).startsWith("training.evo_steps"))
    .map(({ event }) => event);

const lastEvent = (stdout: string) => eventsOf(stdout).at(-1);

/** Names and hashes of a finished run's files. */
const filesOf = async (store: FileStore, dir: string) =>
  (await readCheckpoint(store, `${dir}/checkpoint_1200`)).commit.files;

describe("rlkit train", () => {
  it("prints one JSON object a line: generations, what was saved, and the end", async () => {
    const store = await storeWithManifest();
    const { code, stdout } = await runCli([...train, "--json", "--out", "out"], { store });
    expect(code).toBe(0);
    const events = eventsOf(stdout);
    expect(kinds(stdout)).toEqual([
      "generation",
      "generation",
      "generation",
      "champion",
      "checkpoint",
      "end",
    ]);
    const generations = events.filter(({ event }) => event === "generation");
    expect(generations.map(({ global_step }) => global_step)).toEqual([400, 800, 1200]);
    const end = events.at(-1);
    expect(end).toMatchObject({
      reason: "max_steps",
      global_step: 1200,
      fitnesses: generations[2]?.fitnesses,
      checkpoint_path: "out/checkpoint_1200",
      elite_path: "out/elite.safetensors",
    });
    expect(end?.fitnesses).toHaveLength(2);
    const elite = decodeAgent(await store.read("out/elite.safetensors"), "elite");
    expect(elite.environment).toBe("CartPole-v1");
    const champion = events.find(({ event }) => event === "champion");
    expect(elite.agent).toMatchObject({ index: champion?.index, steps: champion?.steps });
    expect((await readCheckpoint(store, "out/checkpoint_1200")).commit.generation).toBe(3);
  });

  it("keeps the elite of every generation, also of a run that is resumed", async () => {
    const store = await storeWithManifest();
    expect((await runCli([...train, "--out", "out"], { store })).code).toBe(0);
    const whole = (await EliteDirectory.read(store, "out/elites")).entries;
    expect(whole.map(({ generation }) => generation)).toEqual([1, 2, 3]);
    const half = await storeWithManifest();
    const interrupt = (stdout: string) => kinds(stdout).length === 2;
    await runCli([...train, "--json", "--out", "out"], { store: half, interrupt });
    expect((await EliteDirectory.read(half, "out/elites")).entries).toEqual(whole.slice(0, 2));
    const resumed = await runCli([...train, "--out", "out", "--resume", "out"], { store: half });
    expect(resumed.code).toBe(0);
    const elites = await EliteDirectory.read(half, "out/elites");
    expect(elites.entries).toEqual(whole);
    for (const entry of elites.entries)
      expect(decodeAgent(await elites.policy(entry), "elite").agent.index).toBe(entry.index);
  });

  it("trains the pair of a manifest, without evolution and with the same seed", async () => {
    const store = await storeWithManifest();
    const pair = ["--json", "--no-evolution", "--out", "pair"];
    const { code, stdout } = await runCli([...train, ...pair], { store });
    expect(code).toBe(0);
    const generations = eventsOf(stdout).filter(({ event }) => event === "generation");
    expect(generations.map(({ global_step }) => global_step)).toEqual([400, 800, 1200]);
    expect(lastEvent(stdout)?.evolution).toMatchObject({
      ancestors: 2,
      mutations: [{ kind: "none", number: 6 }],
    });
    const text = new TextDecoder().decode(await store.read("pair/manifest.yaml"));
    expect(text).toContain("Seed of the run: 42");
    expect(text).toContain("strategy: none");
    const still = await storeWithManifest(tinyManifest({ hpo: false }));
    const refused = await runCli([...train, ...pair], { store: still });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/--no-evolution: selection_strategy: found no selection/);
  });

  it("prints tables and says where it wrote, in a directory named after the manifest", async () => {
    const store = await storeWithManifest();
    const { code, stdout } = await runCli(train, { store });
    expect(code).toBe(0);
    const [, directory] = /^Output: (m-\d{8}-\d{6})$/m.exec(stdout) ?? [];
    expect(directory).toBeDefined();
    expect(stdout.match(/^Global Steps: [\d_]+$/gm)).toEqual([
      "Global Steps: 400",
      "Global Steps: 800",
      "Global Steps: 1_200",
    ]);
    expect(stdout).toMatch(/^Training finished: 1_200 steps/m);
    expect(stdout).toMatch(/^\d+ evaluation episodes \(4 here\) · \d ancestors? of 2 members/m);
    expect((await store.list(directory ?? "")).map(({ name }) => name)).toEqual([
      "checkpoint_1200",
      "elite.safetensors",
      "elites",
      "manifest.yaml",
    ]);
  });

  it("trains to the same end from the manifest it leaves behind", async () => {
    const store = await storeWithManifest();
    const first = await runCli([...train, "--json", "--out", "a"], { store });
    const args = ["train", "a/manifest.yaml", "--workers", "1", "--json", "--out", "b"];
    const second = await runCli(args, { store });
    expect(lastEvent(second.stdout)?.fitnesses).toEqual(lastEvent(first.stdout)?.fitnesses);
    expect(await store.read("b/elite.safetensors")).toEqual(await store.read("a/elite.safetensors"));
  });

  it("trains what hpo stands for as the library does", async () => {
    const { stdout } = await runCli([...train, "--json", "--out", "out"], {
      store: await storeWithManifest(),
    });
    const trainer = await LocalTrainer.fromManifest(tinyManifest());
    const [, fitnesses] = await trainer.train({ verbose: false });
    expect(lastEvent(stdout)?.fitnesses).toEqual(fitnesses);
  });

  it("trains a population of language models by hpo", async () => {
    const manifest = {
      algorithm: { name: "SFT", batch_size: 2, max_model_len: 16 },
      environment: { env_type: "dataset", dataset: "rlkit/backwards", objective: "sft" },
      network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 16 },
      training: { max_steps: 8, pop_size: 2, evo_steps: 1, evaluation_interval: 1, hpo: true },
    };
    const store = await storeWithManifest(JSON.stringify(manifest));
    const { code, stdout } = await runCli([...train, "--json", "--out", "out"], { store });
    expect(code).toBe(0);
    expect(lastEvent(stdout)).toMatchObject({ event: "end", reason: "max_steps" });
  });

  it("takes the seed of the command line over the manifest's", async () => {
    const elite = async (seed: number, args: readonly string[], hpo = true) => {
      const store = await storeWithManifest(tinyManifest({ seed, hpo }));
      await runCli([...train, "--json", "--out", "out", ...args], { store });
      return store.read("out/elite.safetensors");
    };
    const seven = await elite(7, []);
    expect(await elite(3, ["--seed", "7"])).toEqual(seven);
    expect(await elite(3, [])).not.toEqual(seven);
    expect(await elite(3, ["--seed", "7"], false)).toEqual(await elite(7, [], false));
  });

  it("keeps the last generation boundary at Ctrl-C, and resumes to the end of a run that never stopped", async () => {
    const store = await storeWithManifest();
    const whole = await runCli([...train, "--json", "--out", "whole"], { store });

    const stopped = await runCli([...train, "--json", "--out", "stopped"], {
      store,
      interrupt: (stdout) => kinds(stdout).length === 1,
    });
    expect(stopped.code).toBe(130);
    expect(kinds(stopped.stdout)).toEqual(["generation", "checkpoint", "end"]);
    expect(lastEvent(stopped.stdout)).toMatchObject({ reason: "stopped", global_step: 400 });
    expect(stopped.stderr).toContain("rlkit train m.json --resume stopped/checkpoint_400");

    const args = [...train, "--json", "--resume", "stopped/checkpoint_400", "--out", "resumed"];
    const resumed = await runCli(args, { store });
    expect(resumed.code).toBe(0);
    expect(kinds(resumed.stdout)).toEqual(["generation", "generation", "champion", "checkpoint", "end"]);
    expect(lastEvent(resumed.stdout)?.fitnesses).toEqual(lastEvent(whole.stdout)?.fitnesses);
    expect(await filesOf(store, "resumed")).toEqual(await filesOf(store, "whole"));
  });

  it("can be stopped before its first generation ends", async () => {
    const store = await storeWithManifest();
    const interrupt = (stdout: string) => stdout.includes("Output:");
    const stopped = await runCli([...train, "--out", "a"], { store, interrupt });
    expect(stopped.code).toBe(130);
    expect(stopped.stdout).toContain("rlkit train m.json --resume a/checkpoint_0");
    await runCli([...train, "--resume", "a/checkpoint_0", "--out", "b"], { store });
    await runCli([...train, "--out", "c"], { store });
    expect(await filesOf(store, "b")).toEqual(await filesOf(store, "c"));
  });

  it("keeps the seed that a run was started with when it is resumed", async () => {
    const store = await storeWithManifest();
    const interrupt = (stdout: string) => kinds(stdout).length === 1;
    await runCli([...train, "--json", "--seed", "5", "--out", "a"], { store, interrupt });
    await runCli([...train, "--json", "--resume", "a/checkpoint_400", "--out", "b"], { store });
    await runCli([...train, "--json", "--seed", "5", "--out", "c"], { store });
    expect(await filesOf(store, "b")).toEqual(await filesOf(store, "c"));
  });

  it("starts every member from one agent's file", async () => {
    const store = await storeWithManifest();
    await runCli([...train, "--json", "--out", "a"], { store });
    const args = [...train, "--json", "--resume", "a/elite.safetensors", "--out", "b"];
    const { code, stdout } = await runCli(args, { store });
    expect(code).toBe(0);
    expect(lastEvent(stdout)?.event).toBe("end");
  });

  it("writes checkpoints on the manifest's terms, under the output directory", async () => {
    const store = await storeWithManifest(
      tinyManifest({ checkpoint_steps: 200, checkpoint_path: "kept/run" }),
    );
    const { stdout } = await runCli([...train, "--json", "--out", "out"], { store });
    const paths = eventsOf(stdout).flatMap(({ event, path }) => (event === "checkpoint" ? [path] : []));
    expect(paths).toEqual(["out/kept/run_400", "out/kept/run_800", "out/kept/run_1200"]);
    expect((await listCheckpoints(store, "out/kept")).map(({ name }) => name)).toEqual([
      "run_400",
      "run_800",
      "run_1200",
    ]);
    expect(lastEvent(stdout)?.checkpoint_path).toBe("out/kept/run_1200");
  });

  it("refuses the directory of an earlier run, and leaves it as it was", async () => {
    const store = await storeWithManifest();
    await runCli([...train, "--out", "out"], { store });
    const before = [await store.list("out"), await store.read("out/elite.safetensors")];
    const other = [...train, "--seed", "9", "--json", "--out", "out"];
    for (const args of [other, [...other, "--resume", "out/elite.safetensors"]]) {
      const { code, stdout } = await runCli(args, { store });
      expect([code, kinds(stdout)]).toEqual([2, ["error"]]);
      expect(lastEvent(stdout)?.message).toBe(
        "--out: out holds elite.safetensors and manifest.yaml of an earlier run, which are kept; choose another directory, or resume that run with --resume and one of its checkpoints",
      );
      expect([await store.list("out"), await store.read("out/elite.safetensors")]).toEqual(before);
    }
  });

  it("goes on in the directory of the checkpoint it resumes, and never writes over a checkpoint", async () => {
    const store = await storeWithManifest();
    const interrupt = (stdout: string) => kinds(stdout).length === 1;
    await runCli([...train, "--json", "--out", "out"], { store, interrupt });
    const args = [...train, "--json", "--out", "./out", "--resume", "out/checkpoint_400"];
    expect((await runCli(args, { store })).code).toBe(0);
    const before = (await readCheckpoint(store, "out/checkpoint_1200")).files;
    const { stdout } = await runCli([...args, "--seed", "9"], { store });
    expect(lastEvent(stdout)?.checkpoint_path).toMatch(/out\/checkpoint_1200-2$/);
    expect((await readCheckpoint(store, "out/checkpoint_1200")).files).toEqual(before);
  });
});

describe("rlkit train with bad input", () => {
  /** Asserts one message on standard error, the same message as an event, and no files left behind. */
  async function refused(args: readonly string[], store = memoryFileStore()) {
    const before = await store.list("");
    const { code, stdout, stderr } = await runCli([...args, "--json", "--out", "out"], { store });
    expect(kinds(stdout)).toEqual(["error"]);
    const message = String(lastEvent(stdout)?.message);
    expect(stderr).toBe(`rlkit: ${message}\n`);
    expect(message).not.toMatch(/^\s+at /m);
    expect(await store.list("")).toEqual(before);
    return { code, message };
  }

  it("names the nearest key for an unknown one", async () => {
    const store = await storeWithManifest(tinyManifest({ max_step: 10 }));
    const { code, message } = await refused(train, store);
    expect(code).toBe(1);
    expect(message).toMatch(/^m\.json: .*training\.max_step.*max_steps/);
  });

  it("exits 2 for a manifest that is not there", async () => {
    const { code, message } = await refused(["train", "none.yaml"]);
    expect(code).toBe(2);
    expect(message).toContain("none.yaml: no such file");
  });

  it("exits 2 for a checkpoint that is not there", async () => {
    const { code, message } = await refused([...train, "--resume", "none"], await storeWithManifest());
    expect(code).toBe(2);
    expect(message).toMatch(/^--resume: none: no checkpoint is there/);
  });

  it("exits 2 for an agent's file without its ending, in evaluate's words", async () => {
    await withTemporaryDirectory(async (directory) => {
      const store = nodeFileStore();
      const file = `${directory}/elitefile`;
      await writeText(store, `${directory}/m.json`, tinyManifest());
      await writeText(store, file, "tensors");
      const out = ["--json", "--out", `${directory}/out`];
      const { code, stdout } = await runCli(["train", `${directory}/m.json`, "--resume", file, ...out], {
        store,
      });
      expect(code).toBe(2);
      const message = String(lastEvent(stdout)?.message);
      expect(message).toBe(
        `--resume: ${file}: is not a checkpoint: it contains no agent; give a checkpoint directory or a .safetensors file`,
      );
      const evaluated = await runCli(["evaluate", file], { store });
      expect(evaluated.stderr).toBe(`rlkit: ${message.replace("--resume: ", "")}\n`);
      expect(evaluated.code).toBe(2);
    });
  });

  describe("in a checkpoint", () => {
    async function withCheckpoint() {
      const store = await storeWithManifest();
      await runCli([...train, "--out", "a"], { store });
      return store;
    }
    const resume = [...train, "--resume", "a/checkpoint_1200"];

    it("exits 1 when a file is cut short", async () => {
      const store = await withCheckpoint();
      const path = "a/checkpoint_1200/member_1.safetensors";
      await store.write(path, (await store.read(path)).slice(0, -10));
      const { code, message } = await refused(resume, store);
      expect(code).toBe(1);
      expect(message).toMatch(/member_1\.safetensors has \d+ bytes, not \d+.*earlier one/);
    });

    it("exits 1 when it was written in another format version", async () => {
      const store = await withCheckpoint();
      const path = "a/checkpoint_1200/COMMIT.json";
      const commit = new TextDecoder().decode(await store.read(path));
      await writeText(store, path, commit.replace('"version": 1', '"version": 99'));
      const { code, message } = await refused(resume, store);
      expect(code).toBe(1);
      expect(message).toMatch(/format version 99/);
    });

    it("exits 1 when it belongs to another algorithm", async () => {
      const store = await withCheckpoint();
      const environment = { name: "Pendulum-v1", num_envs: 2 };
      const algorithm = { name: "PPO", batch_size: 16, learn_step: 32 };
      await writeText(store, "m.json", tinyManifest({}, { algorithm, environment, replay_buffer: null }));
      const { code, message } = await refused(resume, store);
      expect(code).toBe(1);
      expect(message).toMatch(/DQN.*PPO/);
    });
  });
});

describe("rlkit train on a disk that does not take what it writes", () => {
  it("exits 2 before training when the directory cannot be written", async () => {
    const store = await storeWithManifest();
    await writeText(store, "taken", "a file");
    const { code, stdout, stderr } = await runCli([...train, "--json", "--out", "taken/out"], { store });
    expect(code).toBe(2);
    expect(kinds(stdout)).toEqual(["error"]);
    expect(stderr).toMatch(/^rlkit: --out: taken\/out\/manifest\.yaml: /);
  });

  it("trains on, keeps the checkpoints before, and says what was not saved", async () => {
    const manifest = tinyManifest({ checkpoint_steps: 200 });
    const measured = await storeWithManifest(manifest);
    await runCli([...train, "--json", "--out", "out"], { store: measured });
    const { commit } = await readCheckpoint(measured, "out/checkpoint_400");
    const one = commit.files.reduce((sum, { size }) => sum + size, 0);

    const store = await storeWithManifest(manifest, memoryFileStore({ capacity: Math.round(1.6 * one) }));
    const { code, stdout, stderr } = await runCli([...train, "--json", "--out", "out"], { store });
    expect(code).toBe(2);
    expect(kinds(stdout)).toEqual([
      "generation",
      "checkpoint",
      "generation",
      "warning",
      "generation",
      "champion",
      "warning",
      "error",
      "end",
    ]);
    // There is no room for a checkpoint any more, but there is for the best member.
    expect(lastEvent(stdout)).toMatchObject({
      global_step: 1200,
      checkpoint_path: null,
      elite_path: "out/elite.safetensors",
    });
    const elite = decodeAgent(await store.read("out/elite.safetensors"), "elite");
    expect(elite.agent.fitness).toHaveLength(3);
    expect(stderr).toMatch(/no room to write/);
    expect((await readCheckpoint(store, "out/checkpoint_400")).commit.generation).toBe(1);
    expect((await store.list("out")).map(({ name }) => name)).toEqual([
      "checkpoint_400",
      "elite.safetensors",
      "elites",
      "manifest.yaml",
    ]);
  });
});
