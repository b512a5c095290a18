import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";
import { eventsOf, tinyManifest, writeText } from "./support.ts";

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `rlkit` from its sources in a process of its own; `watch` sees standard output as it grows. */
async function runProcess(
  cwd: string,
  args: readonly string[],
  watch: (stdout: string, child: ChildProcess) => void = () => {},
): Promise<Finished> {
  const command = path.join(root, "src/cli/rlkit.ts");
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), command, ...args], { cwd });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    watch(stdout, child);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

const lastFitnesses = (stdout: string) => eventsOf(stdout).at(-1)?.fitnesses;

/** Presses Ctrl-C when two generations have been reported. */
function interruptAfterTwo() {
  let pressed = false;
  return (stdout: string, child: ChildProcess): void => {
    if (pressed || stdout.split('"event":"generation"').length < 3) return;
    pressed = true;
    child.kill("SIGINT");
  };
}

// Each test starts several processes, each of which compiles the sources.
describe("rlkit as a process", () => {
  it("exits 130 at Ctrl-C, and goes on to the end of a run that never stopped, with other workers", async () => {
    await withTemporaryDirectory(async (dir) => {
      const store = nodeFileStore(dir);
      await writeText(store, "long.json", tinyManifest({ max_steps: 1_000_000_000 }));
      const stopped = await runProcess(
        dir,
        ["train", "long.json", "--workers", "2", "--json", "--out", "stopped"],
        interruptAfterTwo(),
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
      const whole = await runProcess(dir, [...train, "whole"]);
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
});
