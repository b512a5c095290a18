/** The one limit for all stages of `npm test`: what it ends, what it says, and that nothing is left behind. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";

const SUITE = `
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
it("passes", () => expect(1).toBe(1));
it("hangs for ever", async ({ annotate }) => {
  // Vitest's throttled reports may lose that this test began, when no other report follows (4.1.12: a timer that ends after
  // exactly its 100 ms sends nothing, and is never set again). A note sends what was held back.
  await annotate("begun");
  // In a group of its own, as browsers are.
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true });
  writeFileSync("child", String(child.pid));
  await new Promise(() => {});
});
it("is never begun", () => {});
`;

const NO_LIMITS = "export default { test: { testTimeout: 0, include: ['*.test.mjs'] } };";

const STAGES = JSON.stringify(pathToFileURL(path.join(root, "scripts/lib/stages.mjs")));

/** Tells whether the suite is known to hang. */
const HANGS = `
import { existsSync, readdirSync, readFileSync } from "node:fs";
function hangs() {
  const folder = readdirSync(".").find((name) => name.startsWith("rlkit-test-"));
  const file = folder + "/progress.jsonl";
  return existsSync("child") && existsSync(file) && readFileSync(file, "utf8").includes("hangs for ever");
}
`;

/** Reaches the limit once the suite hangs, and not at a time. */
const DRIVER = `
import { runStages, vitest } from ${STAGES};
${HANGS}
const limit = new AbortController();
const watch = setInterval(() => hangs() && limit.abort("the test said so"), 20);
const unit = () => vitest([], { cwd: process.cwd() });
const later = () => Promise.reject(new Error("the later stage was begun"));
await runStages({ unit, later }, limit.signal);
clearInterval(watch);
`;

/** Time passes only once the suite hangs, and then fast. */
const IDLE_DRIVER = `
import { one, runStages, vitest } from ${STAGES};
${HANGS}
const real = globalThis.setInterval;
globalThis.setInterval = (act) => real(() => hangs() && act(), 1);
const unit = () => vitest([], { cwd: process.cwd(), idleMinutes: 5 });
await runStages({ unit, later: async () => one(true) }, new AbortController().signal);
`;

/** The environment without what Vitest tells its own processes. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^VITEST|^NODE_ENV$/.test(name)),
);

/** Whether a process is there and has not ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, "utf8"));
  } catch {
    return false;
  }
}

describe("the limit for all stages", () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the suite that hangs, and gives what was said and the process that it left. */
  function drive(driver: string) {
    const folder = mkdtempSync(path.join(tmpdir(), "rlkit-limit-"));
    folders.push(folder);
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    for (const [name, text] of Object.entries({
      "hang.test.mjs": SUITE,
      "vitest.config.mjs": NO_LIMITS,
      "run.mjs": driver,
    }))
      writeFileSync(path.join(folder, name), text);
    const said = spawnSync(process.execPath, ["run.mjs"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...environment, TMPDIR: folder },
    });
    return { ...said, child: Number(readFileSync(path.join(folder, "child"), "utf8")) };
  }

  it("kills what hangs with all that it started, names it, counts it, and begins no later stage", async () => {
    const { stdout, stderr, child } = drive(DRIVER);
    expect(stderr).toContain("The time for all checks is up: the test said so.");
    expect(stderr).toContain("Still running:\n  hang.test.mjs > hangs for ever\n");
    expect(stderr).not.toContain("the later stage was begun");
    expect(stdout).toContain("Failed:\n  hang.test.mjs > hangs for ever (was running)\n");
    expect(stdout).toMatch(/unit +1 passed, 1 failed/);
    expect(stdout).toMatch(/later +0 passed, 1 failed \(not begun/);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("1 passed, 2 failed");
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it("ends a stage in which nothing begins or ends for long, and goes on with the next", async () => {
    const { stdout, stderr, child } = drive(IDLE_DRIVER);
    expect(stderr).toContain("No test began or ended for 5 minutes.");
    expect(stderr).toContain("Still running:\n  hang.test.mjs > hangs for ever\n");
    expect(stdout).toMatch(/unit +1 passed, 1 failed/);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("2 passed, 1 failed");
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it("runs stages beside the others, and prints what they said in one piece after those", () => {
    const stages = JSON.stringify(pathToFileURL(path.join(root, "scripts/lib/stages.mjs")));
    const tools = JSON.stringify(pathToFileURL(path.join(root, "scripts/lib/tools.mjs")));
    const run = `
      import { one, runStages } from ${stages};
      import { runTool } from ${tools};
      let end;
      const ended = new Promise((resolve) => { end = resolve; });
      const version = async () => one((await runTool("typescript", ["--version"], { bin: "tsc" })) === 0);
      // Ends only if the others ran meanwhile.
      const first = async () => (await ended, console.log("first said"), one(true));
      const last = async () => (console.log("last said"), one(true));
      const broken = async () => { end(); throw new Error("broken said"); };
      await runStages({ first, last }, new AbortController().signal, { version, broken });
    `;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", run], { encoding: "utf8" });
    const said = ["== first", "first said", "== last", "last said", "== version", "Version", "== broken"];
    const places = [...said, "Error: broken said", "first    1 passed"].map((text) => stdout.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("3 passed, 1 failed");
  });

  it("lets stages that have ended take over those beside them that have not begun", () => {
    const stages = JSON.stringify(pathToFileURL(path.join(root, "scripts/lib/stages.mjs")));
    // Without anyone to take over the second, the first waits for nothing, and Node ends without a last line.
    const run = `
      import { one, runStages } from ${stages};
      let end;
      const ended = new Promise((resolve) => { end = resolve; });
      const waits = async () => (await ended, one(true));
      const taken = async () => (end(), one(true));
      await runStages({ own: async () => one(true) }, new AbortController().signal, { waits, taken });
    `;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", run], { encoding: "utf8" });
    expect(stdout.match(/^\w+ +1 passed/gm)?.map((line) => line.split(" ")[0])).toEqual([
      "own",
      "waits",
      "taken",
    ]);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("3 passed, 0 failed");
  });

  const npmTest = (minutes: string) =>
    spawnSync(process.execPath, [path.join(root, "scripts/test.mjs"), "--only", "types"], {
      cwd: root,
      encoding: "utf8",
      env: { ...environment, RLKIT_TEST_MINUTES: minutes },
    });

  it("is set in minutes", () => {
    const { stdout, stderr, status } = npmTest("0.00001");
    expect(stderr).toContain("The time for all checks is up: 0.00001 minutes (RLKIT_TEST_MINUTES).");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("0 passed, 1 failed");
    expect(status).toBe(1);
  });

  it.each(["0", "-1", "soon", "1e9"])("is refused where it is no number of minutes: %s", (minutes) => {
    const { stderr, status } = npmTest(minutes);
    expect(stderr).toContain(`RLKIT_TEST_MINUTES is "${minutes}"`);
    expect(status).toBe(2);
  });
});
