/**
 * Language models on the platform, with reward modules that are part of a submission: they score completions on the worker,
 * in a sandbox.
 */
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { RemoteTrainer } from "../../src/remote/index.ts";
import { FLOOD } from "../sandbox/support/modules.ts";
import { ask } from "./support/client.ts";
import { killed } from "./support/platform.ts";
import { REASONING_GENERATIONS } from "./support/reasoning.ts";
import { type Rewarded, rewarded } from "./support/rewarded.ts";
import { claims, TrainedRuns } from "./support/TrainedRuns.ts";

let runs: TrainedRuns;
let judged: Rewarded;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "rlkit-reward-"));
  judged = await rewarded(directory);
  const { manifest } = judged;
  runs = await TrainedRuns.start({}, { manifest, generations: REASONING_GENERATIONS });
});

afterAll(async () => {
  await runs?.platform.close();
  await rm(directory, { recursive: true, force: true });
});

/** The platform's description of a run. */
const experiment = async (run: string): Promise<unknown> =>
  (await ask(runs.platform, "GET", `/v1/runs/${run}`, { key: runs.key })).data;

it("trains to the bits of a local run, also on another machine after its worker is killed, and longer", async () => {
  const { reward_file } = judged;
  const sha256 = createHash("sha256")
    .update(await readFile(reward_file))
    .digest("hex");
  const run = await runs.submit({ reward_file });
  // Moved away, so that no worker can find it at the path in the manifest.
  await rename(reward_file, `${reward_file}.sent`);
  const first = runs.platform.worker();
  await runs.firstOf(run, "checkpoint");
  await killed(first.process);
  runs.platform.worker(await runs.platform.key("worker"));
  const events = await runs.watched(run);
  await runs.assertWhole(run, events);
  expect(claims(events)).toBe(2);
  expect(await experiment(run)).toMatchObject({ reward_file: { name: "judge.mjs", sha256 } });
  const metrics = z.array(z.string()).parse(await runs.client.listMetrics(run));
  const rows = (await runs.client.downloadMetrics(run, metrics)).trimEnd().split("\n");
  expect(rows).toHaveLength(1 + REASONING_GENERATIONS);

  await runs.client.resumeExperiment(run, 960);
  await expect.poll(() => experiment(run)).toMatchObject({ state: "finished", global_step: 960 });
  await runs.platform.killWorkers();
  await rename(`${reward_file}.sent`, reward_file);
});

/** A local server that counts its requests. */
async function listening(): Promise<{ readonly server: Server; readonly url: string; asked: () => number }> {
  let count = 0;
  const server = createServer((_request, response) => {
    count += 1;
    response.end("1");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return { server, url: `http://127.0.0.1:${port}`, asked: () => count };
}

it("a module that does what it may not ends its run by name, and the worker goes on", async () => {
  const { server, url, asked } = await listening();
  const worker = runs.platform.worker();
  const ended = async (body: string, before = ""): Promise<string> => {
    const { manifest, reward_file } = await rewarded(
      directory,
      `${before}; export const score = async () => { ${body} };`,
      1,
    );
    const trainer = await RemoteTrainer.fromManifest(manifest, { client: runs.client });
    const { experiment_id } = await trainer.train({ reward_file });
    const run = z.string().parse(experiment_id);
    const events = await runs.watched(run);
    const last = z.object({ state: z.literal("failed"), reason: z.string() }).parse(events.at(-1)?.data);
    // Only its name: the path on this machine varies.
    return last.reason.replaceAll(reward_file, "judge.mjs");
  };
  try {
    expect(await ended(`return (await fetch("${url}")).status;`)).toMatch(
      /^Generation 1 failed: member 0 could not be trained: .*module judge.mjs: score: fetch is not defined \(tried 2 times/,
    );
    // What else a module may try, and endless loops, are covered in tests/sandbox and tests/llm/environments.
    expect(await ended("return fs.statSync('/').size;", 'import fs from "node:fs"')).toMatch(
      /module judge.mjs: loading it: it has an import, but sandboxed modules cannot import/,
    );
    expect(await ended(FLOOD)).toMatch(
      /module judge.mjs: score: the sandbox ended: its process ran out of memory/,
    );
    expect(asked()).toBe(0);
    const run = await runs.submit({ reward_file: judged.reward_file });
    await runs.assertWhole(run, await runs.watched(run));
    expect(worker.process.exitCode).toBeNull();
  } finally {
    server.close();
  }
});
