/** Modules whose functions are called in a sandbox: what comes back, and what they may not do. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { TimeoutError } from "../../src/evolution/members.ts";
import { SandboxedModule } from "../../src/sandbox/modules.ts";
import { openSandbox, SandboxLostError } from "../../src/sandbox/sandboxes.ts";
import { compiled } from "../support/compiled.ts";
import { FLOOD } from "./support/modules.ts";
import { childrenOf, isRunning } from "./support/processes.ts";

/** Does something with a module, and ends it. */
async function withModule<T>(
  script: string,
  use: (module: SandboxedModule) => Promise<T>,
  timeout_s = 60,
): Promise<T> {
  const module = new SandboxedModule(openSandbox, { name: "judge.mjs", script, timeout_s });
  try {
    return await use(module);
  } finally {
    module.close();
  }
}

const called = (script: string, ...args: readonly unknown[]): Promise<unknown> =>
  withModule(script, (module) => module.call("score", args));

const faultOf = (body: string, timeout_s?: number): Promise<unknown> =>
  withModule(
    `export const score = async () => { ${body} };`,
    (module) => module.call("score", []).catch((error: unknown) => error),
    timeout_s,
  );

it("calls functions of a module with copies, one call after another", async () => {
  const script = `
    let calls = 0;
    export const score = async (completion, { answer }) => {
      const call = ++calls;
      await null;
      return { call, now: calls, right: completion === answer, numbers: [0.1, -0, NaN, Infinity, -Infinity], none: undefined };
    };
  `;
  await withModule(script, async (module) => {
    await module.requireFunction("score");
    const results = await Promise.all(
      ["a", "b"].map((text) => module.call("score", [text, { answer: "a" }])),
    );
    const numbers = [0.1, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    expect(results).toEqual([
      { call: 1, now: 1, right: true, numbers },
      { call: 2, now: 2, right: false, numbers },
    ]);
    await expect(module.requireFunction("other")).rejects.toThrow(
      "module judge.mjs: other: its export other is missing, allowed a function; it exports score",
    );
  });
  expect(await called("export const score = () => undefined;")).toBeUndefined();
});

it("makes objects and calls their methods", async () => {
  const script = `
    export class Walk {
      dataset_size = 5;
      #at;
      constructor({ start }) { this.#at = start; }
      step(text) { this.#at += text.length; this.num_epochs = 1; return this.#at; }
    }
  `;
  await withModule(script, async (module) => {
    const walk = await module.make("Walk", [{ start: 3 }]);
    expect(walk.facts).toEqual({ dataset_size: 5 });
    expect(await walk.call("step", ["ab"])).toBe(5);
    expect(walk.facts).toEqual({ dataset_size: 5, num_epochs: 1 });
    expect(await walk.call("close", [])).toBeUndefined();
  });
});

it("reaches nothing but the names of ECMAScript, also by errors and promises of who calls it", async () => {
  const names = await called(
    "export const score = () => ['process', 'require', 'fetch', 'WebSocket', 'Buffer', 'setTimeout', 'WebAssembly'].filter((name) => name in globalThis);",
  );
  expect(names).toEqual([]);
  const attempts = [
    ["return import('node:net');", "loading it: it has an import, but sandboxed modules cannot import"],
    ["return (() => {}).constructor('return process')();", "score: Code generation from strings disallowed"],
    ["return eval('1');", "score: Code generation from strings disallowed"],
    ["Promise.prototype.then = () => 0;", "score: Cannot assign to read only property 'then'"],
  ] as const;
  for (const [attempt, told] of attempts)
    expect(String(await faultOf(attempt))).toContain(`module judge.mjs: ${told}`);
});

it.each([
  ["imports", "import 'node:fs'; export const score = () => 1;", "loading it: it has an import"],
  ["does not parse", "export const = 1;", "loading it: Unexpected token '='"],
  ["throws as it is loaded", "throw new Error('mine');", "loading it: mine"],
  ["waits as it is loaded", "await new Promise(() => {});", "loading it: its promise does not settle"],
  ["throws", "export const score = () => { throw new Error('mine'); };", "score: mine"],
  ["throws what is no error", "export const score = () => { throw null; };", "score: null"],
  ["waits", "export const score = () => new Promise(() => {});", "score: its promise does not settle"],
  ["answers too much", "export const score = () => 'x'.repeat(2e6);", "score: it answered with 2000"],
  ["gives what is no data", "export const score = () => 1n;", "score: Do not know how to serialize a BigInt"],
])("names a module that %s", async (_, script, message) => {
  await expect(called(script)).rejects.toThrow(`module judge.mjs: ${message}`);
});

it.each(["while (true);", "await null; while (true);"])("ends a loop at the deadline: %s", async (body) => {
  const fault = await faultOf(body, 2);
  expect(fault).toBeInstanceOf(TimeoutError);
  expect(String(fault)).toMatch(
    /module judge.mjs: score: found no answer within 2 s, allowed calls that return in time/,
  );
});

it("dies alone of a flood of objects, and buffers have an end too", async () => {
  const flood = await faultOf(FLOOD);
  expect(flood).toBeInstanceOf(SandboxLostError);
  expect(String(flood)).toMatch(/module judge.mjs: score: the sandbox ended: its process ran out of memory/);
  if (process.platform !== "linux") return;
  const buffers = await faultOf("for (const all = []; all.length < 24; ) all.push(new Uint8Array(64e6));");
  expect(String(buffers)).toMatch(/module judge.mjs: score: Array buffer allocation failed/);
});

it("ends a loop by itself where whoever asked was killed", async () => {
  // Nobody's deadline ends the call: it is asked for over the port itself.
  const script = "export const score = () => { while (true); };";
  const load = { id: 1, limit_s: 3, call: "load", name: "judge.mjs", script };
  const task = { id: 2, limit_s: 3, call: "task", task: { kind: "call", name: "score", args: [] } };
  const program = `
    const { openSandbox } = await import(${JSON.stringify(pathToFileURL(compiled("src/sandbox/SandboxPort.ts")).href)});
    const port = await openSandbox();
    port.listen(() => {
      port.post(${JSON.stringify(task)});
      console.log("asked");
    }, console.error);
    port.post(${JSON.stringify(load)});
  `;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(owner.stdout, "data");
  const [child = 0] = childrenOf(owner.pid ?? 0);
  expect(isRunning(child)).toBe(true);
  owner.kill("SIGKILL");
  await expect.poll(() => isRunning(child)).toBe(false);
});
