/** What stops code that has left its realm, and what reaches the process that opened a sandbox. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import inspector from "node:inspector";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../scripts/lib/environment.mjs";
import { childProgram } from "../../../src/sandbox/node/childProgram.ts";
import { confinement, nodeSandbox } from "../../../src/sandbox/node/nodeSandbox.ts";
import { startChild } from "../../../src/sandbox/node/startChild.ts";
import type { SandboxPort } from "../../../src/sandbox/SandboxPort.ts";
import { bundled, compiled } from "../../support/compiled.ts";
import { childrenOf, isRunning } from "../support/processes.ts";

const folder = path.join(root, "tests/sandbox/support");
const escaped = { entry: path.join(folder, "escaped.mjs"), readable: [folder] };

const server = createServer();
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

/** What a program in the place of the sandbox's own is told. */
async function toldBy(port: SandboxPort): Promise<Readonly<Record<string, unknown>>> {
  const { port: address } = server.address() as { readonly port: number };
  const replied = new Promise<unknown>((resolve, reject) => {
    port.listen(resolve, (reason) => reject(new Error(reason)));
  });
  const args = [{ pid: process.pid, port: address }];
  port.post({ id: 1, limit_s: 60, call: "task", task: { kind: "call", name: "escape", args } });
  const { result } = (await replied) as {
    readonly result: { readonly value: Readonly<Record<string, unknown>> };
  };
  port.end();
  return result.value;
}

const DENIED = {
  file: "ERR_ACCESS_DENIED",
  write: "ERR_ACCESS_DENIED",
  process: "ERR_ACCESS_DENIED",
  thread: "ERR_ACCESS_DENIED",
  binding: "ERR_ACCESS_DENIED",
  strings: "Code generation from strings disallowed for this context",
  variables: [],
};

describe("code that has left its realm", () => {
  it("is alone, where the system has namespaces", async () => {
    const wrapper = await confinement();
    const told = await toldBy(await startChild(escaped, wrapper));
    expect(told).toMatchObject(DENIED);
    if (!wrapper.includes("unshare")) return;
    expect(told).toMatchObject({
      signal: "ESRCH",
      network: expect.stringMatching(/ENETUNREACH|ECONNREFUSED|EADDRNOTAVAIL/),
    });
  });

  it("finds no files, processes and threads anywhere, and an inspector that stays closed", async () => {
    // Opening a sandbox installs what ignores the signal.
    (await nodeSandbox()).end();
    const heard = once(process, "SIGUSR1");
    expect(await toldBy(await startChild(escaped, []))).toMatchObject({ ...DENIED, signal: "did it: true" });
    await heard;
    expect(inspector.url()).toBeUndefined();
  });
});

/** A program that opens a sandbox, until it prints. */
async function started(program: string) {
  const owner = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: "pipe",
  });
  await once(owner.stdout, "data");
  return owner;
}

const urlOf = (source: string): string => JSON.stringify(pathToFileURL(compiled(source)).href);

it("does not open its inspector for anybody's signal once threads of it may open sandboxes", async () => {
  const owner = await started(`
    import inspector from "node:inspector";
    const { watchThreads } = await import(${urlOf("src/sandbox/node/childrenOfThreads.ts")});
    watchThreads();
    process.once("SIGUSR1", () => { console.log(String(inspector.url())); process.exit(); });
    setInterval(() => undefined, 1000);
    console.log("ready");
  `);
  const [said] = [once(owner.stdout, "data")];
  owner.kill("SIGUSR1");
  expect(String(await said).trim()).toBe("undefined");
});

it.each([
  ["with its parent, where the system ends it", "await confinement()"],
  ["by a limit of its own elsewhere", "[]"],
])("a loop ends %s, when whoever asked was killed", async (_, wrapper) => {
  const isEnded = wrapper !== "[]" && (await confinement()).length > 0;
  const limit_s = isEnded ? 3600 : 1;
  const load = {
    id: 1,
    limit_s: 3600,
    call: "load",
    name: "m",
    script: "export const f = () => { for (;;); };",
  };
  const task = { id: 2, limit_s, call: "task", task: { kind: "call", name: "f", args: [] } };
  const owner = await started(`
    const { startChild } = await import(${urlOf("src/sandbox/node/startChild.ts")});
    const { confinement } = await import(${urlOf("src/sandbox/node/nodeSandbox.ts")});
    const port = await startChild(${JSON.stringify(childProgram())}, ${wrapper});
    port.listen(() => console.log("loaded"), console.error);
    process.stdin.once("data", () => { port.post(${JSON.stringify(task)}); console.log("asked"); });
    port.post(${JSON.stringify(load)});
  `);
  const [child = 0] = childrenOf(owner.pid ?? 0);
  const all = [child, ...childrenOf(child), ...childrenOf(child).flatMap(childrenOf)];
  expect(all.every(isRunning)).toBe(true);
  const asked = once(owner.stdout, "data");
  owner.stdin.write("ask");
  await asked;
  owner.kill("SIGKILL");
  await expect.poll(() => all.some(isRunning)).toBe(false);
});

it("prints nothing where it is ended amid a call", async () => {
  const script = "export const f = () => { for (const end = Date.now() + 500; Date.now() < end; ); };";
  const owner = await started(`
    const { nodeSandbox } = await import(${urlOf("src/sandbox/node/nodeSandbox.ts")});
    const { SandboxedModule } = await import(${urlOf("src/sandbox/SandboxedModule.ts")});
    const module = new SandboxedModule(nodeSandbox, { name: "m", script: ${JSON.stringify(script)}, timeout_s: 60 });
    await module.requireFunction("f");
    void module.call("f", []);
    setTimeout(() => console.log("asked"));
  `);
  const all = childrenOf(owner.pid ?? 0);
  let said = "";
  owner.stderr.on("data", (chunk) => {
    said += String(chunk);
  });
  owner.kill("SIGTERM");
  await once(owner.stderr, "close");
  await expect.poll(() => all.some(isRunning)).toBe(false);
  expect(said).toBe("");
});

describe("the command line", () => {
  const work = mkdtempSync(path.join(tmpdir(), "rlkit-evil-"));
  afterAll(() => rmSync(work, { recursive: true }));
  writeFileSync(
    path.join(work, "evil.js"),
    'process.kill(process.ppid, "SIGUSR1"); export default class { observation_space = { kind: "Discrete", n: 2 }; }',
  );
  writeFileSync(
    path.join(work, "evil.yaml"),
    "algorithm: { name: DQN }\nenvironment: { name: Evil, path: evil.js }\ntraining: { max_steps: 100, pop_size: 1 }\n",
  );

  it.each([
    ["validate", "evil.yaml"],
    ["train", "evil.yaml", "--out", "run"],
    ["record", "random", "--environment", "evil.js", "--steps", "10", "--out", "data"],
  ])("lets a module of %s do nothing", async (...args) => {
    const command = spawn(process.execPath, [bundled("src/cli/rlkit.ts"), ...args], { cwd: work });
    let said = "";
    for (const stream of [command.stdout, command.stderr])
      stream.on("data", (chunk) => (said += String(chunk)));
    const [code] = await once(command, "exit");
    expect(said).toContain("threw ReferenceError: process is not defined");
    expect(said).not.toContain("Debugger listening");
    expect(code).not.toBe(0);
  });
});
