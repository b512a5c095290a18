import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { lockDirectory } from "../../../src/cli/directoryLock.ts";
import { PENDING_FILE } from "../../../src/storage/checkpoints.ts";
import { type FileStore, readCheckpoint } from "../../../src/storage/index.ts";
import { nodeFileStore } from "../../../src/storage/node/index.ts";
import { withTemporaryDirectory } from "../../storage/support/temporaryDirectory.ts";
import { eventsOf, runCli, storeWithManifest, tinyManifest, writeText } from "../support.ts";

const train = ["train", "m.json", "--workers", "1", "--json"];
const endOf = (stdout: string) => eventsOf(stdout).at(-1);
const namesIn = async (store: FileStore, dir: string) => (await store.list(dir)).map(({ name }) => name);
const textOf = async (store: FileStore, path: string) => new TextDecoder().decode(await store.read(path));

/** Presses Ctrl-C after the first generation. */
const afterOne = (stdout: string): boolean => stdout.includes('"event":"generation"');

describe("rlkit train --resume with a run's directory", () => {
  it("goes on from its newest committed checkpoint", async () => {
    const store = await storeWithManifest(
      tinyManifest({ checkpoint_steps: 200, checkpoint_path: "kept/run" }),
    );
    await runCli([...train, "--out", "a"], { store });
    // The newest checkpoint neither sorts last nor was started last.
    await store.remove("a/kept/run_1200");
    await writeText(store, `a/kept/run_1600/${PENDING_FILE}`, "{}");
    await writeText(
      store,
      "long.json",
      tinyManifest({ max_steps: 800, checkpoint_steps: 200, checkpoint_path: "kept/run" }),
    );
    const long = ["train", "long.json", "--workers", "1", "--json"];
    const { code, stdout, stderr } = await runCli([...long, "--resume", "a", "--out", "b"], { store });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^rlkit: --resume: resuming from a\/kept\/run_800\n/);
    const steps = eventsOf(stdout).flatMap(({ event, global_step }) =>
      event === "generation" ? [global_step] : [],
    );
    expect(steps).toEqual([1200, 1600]);
    expect(await namesIn(store, "a/kept")).toContain("run_1600");
  });

  it("passes over a damaged one, and says so", async () => {
    const store = await storeWithManifest(tinyManifest({ checkpoint_steps: 200 }));
    await runCli([...train, "--out", "a"], { store });
    const newest = "a/checkpoint_1200/member_0.safetensors";
    await store.write(newest, (await store.read(newest)).slice(1));
    const { code, stderr } = await runCli([...train, "--resume", "a", "--out", "b"], { store });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^rlkit: --resume: a\/checkpoint_1200 was skipped: .*member_0\.safetensors has \d+ bytes/,
    );
    expect(stderr).toContain("rlkit: --resume: resuming from a/checkpoint_800\n");
  });

  it("goes on in that directory", async () => {
    const store = await storeWithManifest();
    await runCli([...train, "--out", "a"], { store, interrupt: afterOne });
    const { code, stdout } = await runCli([...train, "--resume", "a", "--out", "a"], { store });
    expect([code, endOf(stdout)]).toMatchObject([0, { checkpoint_path: "a/checkpoint_1200" }]);
  });

  it("says that there is none", async () => {
    const store = await storeWithManifest();
    await writeText(store, "a/manifest.yaml", "");
    await writeText(store, `a/checkpoint_400/${PENDING_FILE}`, "{}");
    const { code, stderr } = await runCli([...train, "--resume", "a"], { store });
    expect([code, stderr]).toEqual([
      2,
      "rlkit: --resume: a is a run's directory without a committed checkpoint; start a new run in another directory\n",
    ]);
  });
});

describe("rlkit train --out", () => {
  it("clears what a run that was cut off left half written there, and nothing else", async () => {
    const store = await storeWithManifest();
    await runCli([...train, "--out", "a"], { store, interrupt: afterOne });
    await writeText(store, `a/checkpoint_800/${PENDING_FILE}`, "{}");
    await writeText(store, "a/checkpoint_800/member_0.safetensors", "half");
    await writeText(store, "a/elite.safetensors.0badcafe.rlkit-tmp", "half");
    await writeText(store, `a/others_800/${PENDING_FILE}`, "{}");
    await writeText(store, "a/checkpoint_900/notes.txt", "mine");
    const { code } = await runCli([...train, "--resume", "a", "--out", "a"], { store });
    expect(code).toBe(0);
    expect(await namesIn(store, "a")).toEqual([
      "checkpoint_1200",
      "checkpoint_400",
      "checkpoint_900",
      "elite.safetensors",
      "elites",
      "manifest.yaml",
      "others_800",
    ]);
  });

  it.each(["../x", "kept/../../x", "/elsewhere/x", "."])(
    "is not left by a manifest's checkpoint_path: %s",
    async (checkpoint_path) => {
      const store = await storeWithManifest(tinyManifest({ checkpoint_path, checkpoint_steps: 200 }));
      const { code, stderr } = await runCli([...train, "--out", "out"], { store });
      expect([code, stderr]).toEqual([
        1,
        `rlkit: training.checkpoint_path: found "${checkpoint_path}", which is not in the output directory out; allowed a name or a relative path that stays in it\n`,
      ]);
      expect(await namesIn(store, "")).toEqual(["m.json"]);
    },
  );

  it("keeps the seed in effect in what it saves of the manifest, which makes the same run", async () => {
    const store = await storeWithManifest();
    await runCli([...train, "--seed", "7", "--out", "a"], { store });
    const saved = await textOf(store, "a/manifest.yaml");
    expect(saved).toMatch(/^# Seed of the run: 7 \(--seed 7\)\n/);
    expect(parse(saved)).toMatchObject({ training: { seed: 7 } });
    const { files } = await readCheckpoint(store, "a/checkpoint_1200");
    expect(JSON.parse(new TextDecoder().decode(files.get("run.json")))).toMatchObject({
      seed: 7,
      manifest: { training: { seed: 7 } },
    });
    await runCli(["train", "a/manifest.yaml", "--workers", "1", "--out", "b"], { store });
    expect(await store.read("b/elite.safetensors")).toEqual(await store.read("a/elite.safetensors"));
  });
});

describe("an output directory's lock", () => {
  const inUse = (dir: string) =>
    `--out: another rlkit train writes to ${dir}: process ${process.pid}; stop it, or choose another directory`;

  it("refuses a second run, which names the process of the first", async () => {
    await withTemporaryDirectory(async (root) => {
      const store = nodeFileStore();
      const [manifest, dir] = [`${root}/m.json`, `${root}/out`];
      await writeText(store, manifest, tinyManifest({ max_steps: 1_000_000_000 }));
      const args = ["train", manifest, "--workers", "1", "--json", "--out", dir];
      const setting = { store, lock: lockDirectory };
      const seconds: ReturnType<typeof runCli>[] = [];
      let refused = false;
      const first = await runCli(args, {
        ...setting,
        interrupt: (stdout) => {
          if (seconds.length === 0 && afterOne(stdout)) {
            const second = runCli(args, setting);
            seconds.push(second);
            void second.then(() => {
              refused = true;
            });
          }
          return refused;
        },
      });
      expect(first.code).toBe(130);
      expect(await seconds[0]).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`rlkit: ${inUse(dir)}\n`),
      });
      expect(
        (await readCheckpoint(store, String(endOf(first.stdout)?.checkpoint_path))).commit.generation,
      ).toBeGreaterThan(0);
      expect(await namesIn(store, dir)).not.toContain(".rlkit-lock");
    });
  });

  it("goes with its holder, and leaves no directory that was made for it", async () => {
    await withTemporaryDirectory(async (root) => {
      const dir = `${root}/new`;
      const release = await lockDirectory(dir);
      await expect(lockDirectory(dir)).rejects.toThrow(inUse(dir));
      await release();
      expect(await nodeFileStore().list(root)).toEqual([]);
      await (await lockDirectory(dir))();
    });
  });

  it("is taken over from a process that is gone, and from another one with its number", async () => {
    await withTemporaryDirectory(async (root) => {
      const store = nodeFileStore(root);
      const gone = spawn(process.execPath, ["-e", ""]);
      await once(gone, "exit");
      const owners = [
        { pid: gone.pid, host: hostname(), started: null },
        { pid: process.pid, host: hostname(), started: "another boot 1" },
      ];
      for (const owner of owners) {
        await writeText(store, ".rlkit-lock", JSON.stringify(owner));
        const release = await lockDirectory(root);
        await expect(lockDirectory(root)).rejects.toThrow(inUse(root));
        await release();
        expect(await store.list("")).toEqual([]);
      }
    });
  });

  it("is kept for a process of another machine, and where it names none", async () => {
    await withTemporaryDirectory(async (root) => {
      const store = nodeFileStore(root);
      await writeText(store, ".rlkit-lock", JSON.stringify({ pid: 4, host: "elsewhere", started: null }));
      await expect(lockDirectory(root)).rejects.toThrow(
        `process 4 on elsewhere; if that is gone, delete ${root}/.rlkit-lock; stop it`,
      );
      await writeText(store, ".rlkit-lock", "");
      await expect(lockDirectory(root)).rejects.toThrow(
        "which names no process; delete it if none writes there",
      );
      expect((await store.list("")).map(({ name }) => name)).toEqual([".rlkit-lock"]);
    });
  });

  it("is one process's when many ask at once for a stale one", async () => {
    await withTemporaryDirectory(async (root) => {
      const owner = { pid: process.pid, host: hostname(), started: "another boot 1" };
      await writeText(nodeFileStore(root), ".rlkit-lock", JSON.stringify(owner));
      const asked = await Promise.allSettled(Array.from({ length: 20 }, () => lockDirectory(root)));
      expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    });
  });
});
