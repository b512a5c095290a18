import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readCheckpoint } from "../../src/storage/index.ts";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";
import { bundled } from "../support/compiled.ts";
import { runProcess } from "./runProcess.ts";
import { eventsOf, runCli, tinyManifest, writeText } from "./support.ts";

/** A device that is always full, on Linux. */
const FULL = "/dev/full";

/** Program that runs a command in a separate terminal, on Linux. */
const SCRIPT = "/usr/bin/script";

const lastFitnesses = (stdout: string) => eventsOf(stdout).at(-1)?.fitnesses;

/** Sends the signals, each after two more reported generations. */
function signalsAfterTwo(...signals: readonly NodeJS.Signals[]) {
  let sent = 0;
  return (stdout: string, child: ChildProcess): void => {
    const signal = signals[sent];
    if (!signal || stdout.split('"event":"generation"').length < 3 + 2 * sent) return;
    sent++;
    child.kill(signal);
  };
}

/** Makes standard output fail from its third write on, as if its terminal were closed. */
const TERMINAL_IS_GONE = `data:text/javascript,${encodeURIComponent(`
  const write = process.stdout._write;
  let left = 2;
  process.stdout._write = function (chunk, encoding, done) {
    if (left-- > 0) return write.call(this, chunk, encoding, done);
    done(Object.assign(new Error("EIO: i/o error, write"), { code: "EIO" }));
  };
  process.stdout._writev = null;
`)}`;

// Each test starts several processes, each of which compiles the sources.
describe("rlkit as a process", () => {
  it("exits 130 at Ctrl-C, and goes on to the end of a run that never stopped, with other workers", async () => {
    await withTemporaryDirectory(async (dir) => {
      const store = nodeFileStore(dir);
      await writeText(store, "long.json", tinyManifest({ max_steps: 1_000_000_000 }));
      const stopped = await runProcess(
        dir,
        ["train", "long.json", "--workers", "2", "--json", "--out", "stopped"],
        signalsAfterTwo("SIGINT"),
      );
      expect(stopped.code).toBe(130);
      const end = eventsOf(stopped.stdout).at(-1);
      expect(end).toMatchObject({ event: "end", reason: "stopped" });
      const checkpoint = String(end?.checkpoint_path);
      expect(stopped.stderr).toContain(`--resume ${checkpoint}`);

      const steps = Number(end?.global_step) / 2 + 400;
      await writeText(store, "short.json", tinyManifest({ max_steps: steps }));
      const train = ["train", "short.json", "--workers", "1", "--json", "--out"];
      const resumed = await runProcess(dir, [...train, "resumed", "--resume", checkpoint]);
      // The uninterrupted run happens in this process, which needs no startup.
      const whole = await runCli([...train, "whole"], { store });
      expect([resumed.code, whole.code]).toEqual([0, 0]);
      expect(lastFitnesses(resumed.stdout)).toEqual(lastFitnesses(whole.stdout));
      const last = `checkpoint_${2 * steps}/member_0.safetensors`;
      expect(await store.read(`resumed/${last}`)).toEqual(await store.read(`whole/${last}`));
    });
  });

  it("shows one line for an error", async () => {
    await withTemporaryDirectory(async (dir) => {
      const { code, stdout, stderr } = await runProcess(dir, ["train", "none.yaml"]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toBe("rlkit: the manifest cannot be read: none.yaml: no such file; check the path\n");
    });
  });

  it("stops cleanly when nobody reads its output any more", async () => {
    await withTemporaryDirectory(async (dir) => {
      const store = nodeFileStore(dir);
      await writeText(store, "long.json", tinyManifest({ max_steps: 1_000_000_000 }));
      const args = ["train", "long.json", "--workers", "1", "--json", "--out", "out"];
      const { code, stderr } = await runProcess(dir, args, (_, child) => child.stdout?.destroy());
      expect(code).toBe(130);
      expect(stderr).toContain("--resume out/checkpoint_");
    });
  });

  it("trains on when standard output's terminal is gone or its disk is full, and its exit code tells", async () => {
    await withTemporaryDirectory(async (dir) => {
      const store = nodeFileStore(dir);
      await writeText(store, "m.json", tinyManifest());
      const args = ["train", "m.json", "--device", "wasm", "--workers", "1", "--json", "--out"];
      const gone = await runProcess(dir, [...args, "gone"], undefined, { before: TERMINAL_IS_GONE });
      expect([gone.code, gone.stdout.split("\n").length]).toEqual([2, 3]);
      expect(gone.stderr).toMatch(
        /^rlkit: standard output can no longer be written \(EIO: .*\); the rest of it is lost$/m,
      );
      expect(gone.stderr).not.toMatch(/^\s+at /m);
      expect((await readCheckpoint(store, "gone/checkpoint_1200")).commit.generation).toBe(3);
      if (!(await nodeFileStore().exists(FULL))) return;
      const full = await open(FULL, "w");
      const { code, stderr } = await runProcess(dir, [...args, "full"], undefined, { output: full.fd });
      const schema = await runProcess(dir, ["schema"], undefined, { output: full.fd });
      await full.close();
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^rlkit: standard output .*ENOSPC/m)]);
      expect((await readCheckpoint(store, "full/checkpoint_1200")).commit.generation).toBe(3);
      expect(schema.code).toBe(2);
    });
  });

  // In a separate process, because a process keeps a GPU driver that it has found.
  it.runIf(process.platform === "linux")("exits 1 for a GPU that is not there", async () => {
    await withTemporaryDirectory(async (dir) => {
      await writeText(nodeFileStore(dir), "m.json", tinyManifest());
      const env = { VK_ICD_FILENAMES: "/no/driver.json" };
      const args = ["train", "m.json", "--device", "webgpu", "--json", "--out", "out"];
      const { code, stdout, stderr } = await runProcess(dir, args, undefined, { env });
      expect([code, eventsOf(stdout).map(({ event }) => event)]).toEqual([1, ["error"]]);
      expect(stderr).toMatch(/^rlkit: no WebGPU adapter was found; .* train with device "wasm"/m);
      expect((await nodeFileStore(dir).list("")).map(({ name }) => name)).toEqual(["m.json"]);
    });
  });

  it.runIf(process.platform !== "win32")("stops at a hang-up, and goes on under nohup", async () => {
    await withTemporaryDirectory(async (dir) => {
      await writeText(nodeFileStore(dir), "long.json", tinyManifest({ max_steps: 1_000_000_000 }));
      const args = ["train", "long.json", "--device", "wasm", "--workers", "1", "--json", "--out"];
      const stopped = await runProcess(dir, [...args, "a"], signalsAfterTwo("SIGHUP"), {
        env: { _: process.execPath },
      });
      expect(stopped.code).toBe(130);
      expect(eventsOf(stopped.stdout).at(-1)).toMatchObject({ event: "end", reason: "stopped" });

      // Shells set this variable to the path of the started program.
      const nohup = { via: "nohup", env: { _: "/usr/bin/nohup" } };
      const kept = await runProcess(dir, [...args, "b"], signalsAfterTwo("SIGHUP", "SIGINT"), nohup);
      expect(kept.code).toBe(130);
      const generations = eventsOf(kept.stdout).filter(({ event }) => event === "generation");
      expect(generations.length).toBeGreaterThanOrEqual(4);
    });
  });

  it.runIf(process.platform === "linux" && existsSync(SCRIPT))(
    "outlives a real terminal, without a trace",
    async () => {
      await withTemporaryDirectory(async (dir) => {
        const store = nodeFileStore(dir);
        await writeText(store, "m.json", tinyManifest({ max_steps: 6000 }));
        const train = "train m.json --device wasm --workers 1 --out out 2>errors";
        const inside = `trap "" HUP; ${process.execPath} ${bundled("src/cli/rlkit.ts")} ${train}; echo $? >code`;
        const terminal = spawn(SCRIPT, ["-qc", inside, "/dev/null"], {
          cwd: dir,
          env: { ...process.env, SHELL: "/bin/sh", RLKIT_NOHUP: "1" },
          stdio: ["ignore", "pipe", "ignore"],
        });
        let screen = "";
        terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
          screen += text;
          if (screen.includes("Global Steps")) terminal.kill("SIGKILL");
        });
        await once(terminal, "close");
        const written = async () =>
          (await store.list("")).some(({ name, size }) => name === "code" && size > 0);
        await expect.poll(written).toBe(true);
        const text = async (name: string) => new TextDecoder().decode(await store.read(name));
        expect(await text("code")).toBe("2\n");
        expect(await text("errors")).toMatch(/^rlkit: standard output .*EIO.*\n$/);
        expect((await readCheckpoint(store, "out/checkpoint_12000")).commit.global_step).toBe(12_000);
      });
    },
  );
});
