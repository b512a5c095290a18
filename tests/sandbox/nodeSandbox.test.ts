/** Child processes that run users' modules: what they may not do, and how they end. */
import { Worker } from "node:worker_threads";
import { expect, it, vi } from "vitest";
import { SandboxedEnvironment } from "../../src/sandbox/environments.ts";
import { endChildrenOf, watchThreads } from "../../src/sandbox/node/childrenOfThreads.ts";
import { nodeSandbox } from "../../src/sandbox/node/nodeSandbox.ts";
import { SandboxLostError, SandboxTimeoutError } from "../../src/sandbox/sandboxes.ts";
import { FLOOD, walk } from "./support/modules.ts";
import { childrenOf, isRunning } from "./support/processes.ts";

const opened = (script: string, timeout_s = 60) =>
  SandboxedEnvironment.open(nodeSandbox, {
    name: "user/test",
    script,
    entrypoint: null,
    options: {},
    num_envs: 1,
    timeout_s,
  });

it("knows nothing of Node, and goes on after an error", async () => {
  const env = await opened(walk({ step: "if (steps === 1) process.kill(process.ppid, 'SIGUSR1');" }));
  try {
    await env.reset({ seed: 1 });
    await expect(env.step([0])).rejects.toThrow(
      "user/test: env.step() of lane 0, step 1: threw ReferenceError: process is not defined",
    );
    expect((await env.step([1])).final_observation).toEqual(Float32Array.of(0.5, 0.5));
  } finally {
    env.close();
  }
});

it("ends a loop at the deadline, and says what was called", async () => {
  const env = await opened(walk({ step: "while (true);" }), 3);
  await env.reset({ seed: 1 });
  const error = await env.step([0]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SandboxTimeoutError);
  expect(String(error)).toMatch(
    /user\/test: step: found no answer within 3 s, allowed calls that return in time/,
  );
  await expect(env.reset()).rejects.toBe(error);
});

it("ends with the thread that started it, also amid a loop", async () => {
  watchThreads();
  const source = new URL("../../src/sandbox/node/childrenOfThreads.ts", import.meta.url).href;
  const loader = import.meta.resolve("tsx/esm/api");
  const thread = new Worker(
    `import(${JSON.stringify(loader)}).then(async ({ register }) => {
      register();
      const { watchChild } = await import(${JSON.stringify(source)});
      const child = process.getBuiltinModule("node:child_process").spawn(process.execPath, ["-e", "while (true);"]);
      watchChild(child);
      process.getBuiltinModule("node:worker_threads").parentPort.postMessage(child.pid);
    });`,
    { eval: true },
  );
  const { threadId } = thread;
  const pid = await new Promise<number>((resolve) => thread.once("message", resolve));
  expect(isRunning(pid)).toBe(true);
  await thread.terminate();
  endChildrenOf(threadId);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

it("says that its process has ended, also to calls after it", async () => {
  const { pid: self } = process;
  const before = new Set(childrenOf(self));
  const env = await opened(walk({}));
  const started = childrenOf(self).filter((child) => !before.has(child) && isRunning(child));
  for (const child of started) process.kill(child, "SIGKILL");
  // What stands between this process and the module's may end before it, which could then still answer.
  await expect.poll(() => started.some(isRunning)).toBe(false);
  const error = await env.reset({ seed: 1 }).catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(
    /SandboxLostError: user\/test: .*: the sandbox ended: its process ended with SIGKILL/,
  );
  await expect(env.step([0])).rejects.toBe(error);
});

it("prints what a module logs, without what a terminal would obey", async () => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const env = await opened(
    walk({ step: "console.log('at', { steps }, new Error('no'), '\\u001b[31mred');" }),
  );
  await env.reset({ seed: 1 });
  await env.step([0]);
  await expect.poll(() => written.mock.calls.join("")).toContain('at {"steps":1} Error: no  [31mred\n');
  env.close();
});

it("dies alone of a flood of memory", async () => {
  const env = await opened(walk({ step: FLOOD }));
  await env.reset({ seed: 1 });
  const error = await env.step([0]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SandboxLostError);
  expect(String(error)).toMatch(
    /user\/test: step: the sandbox ended: its process ran out of memory \(limit: 512 MB/,
  );
});

it("goes on with the episodes of another, whose states cross as they are", async () => {
  const script = walk({
    fields: `save: () => ({ steps: Int8Array.of(steps), odd: [-0, NaN, -Infinity, null, "\\u{1f600}"], own: {} }),
      load: (state) => {
        const [zero, no, least, nothing, text] = state.odd;
        if (!Object.is(zero, -0) || no === no || least !== -Infinity || nothing !== null || text !== "\\u{1f600}") throw new Error("odd");
        steps = state.steps[0];
      },`,
  });
  const [env, other] = [await opened(script), await opened(script)];
  try {
    await env.goOn(1, null, null);
    await env.step([0]);
    await env.step([0]);
    const places = await env.places();
    expect(await other.goOn(2, places, null)).toMatchObject({ begun: Uint8Array.of(0), left: null });
    expect((await other.step([0])).terminated).toEqual(Uint8Array.of(0));
    expect((await other.step([0])).terminated).toEqual(Uint8Array.of(1));
  } finally {
    env.close();
    other.close();
  }
});
