/** `rlkit-platform` as processes: their output, and their state after they end or are killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { PrivatePostgres } from "../../platform/src/database/PrivatePostgres.ts";
import { root } from "../../scripts/lib/environment.mjs";
import { RemoteClient } from "../../src/remote/index.ts";
import { bundled } from "../support/compiled.ts";
import { cartPole } from "./support/cartPole.ts";

let parent: string;
const started: ChildProcess[] = [];

beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), "rlkit-platform-"));
  await chmod(parent, 0o755);
});

afterEach(async () => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

afterAll(async () => {
  const left = await PrivatePostgres.open({ directory: directory(), log: () => undefined });
  await left.close();
  await rm(parent, { recursive: true, force: true });
});

let places = 0;
const directory = (): string => path.join(parent, `data${places}`);

interface Running {
  readonly process: ChildProcess;
  readonly output: () => string;
}

/** The command line of `rlkit-platform`: from sources, which are compiled at startup, or bundled. */
const command = (args: readonly string[], { compiles = false } = {}): string[] => [
  process.execPath,
  compiles ? path.join(root, "platform/bin/rlkit-platform.mjs") : bundled("platform/src/main.ts"),
  ...args,
  "--data",
  directory(),
];

const run = (...args: string[]): Running => start(command(args));

function start([program = "", ...args]: readonly string[]): Running {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return { process: child, output: () => output };
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command. @returns its output and exit code. */
const ran = (...args: string[]): Promise<Ended> => ended(run(...args));

async function ended({ process: child, output }: Running): Promise<Ended> {
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: output() };
}

const SERVE = ["serve", "--port", "0", "--no-worker"];

const serve = (): Promise<Serving> => serving(run(...SERVE));

interface Serving extends Running {
  readonly url: string;
}

/** Resolves when the server is ready; fails where it ends before that. */
const serving = async (running: Running): Promise<Serving> => {
  const ready = /The platform is at (http:\S+)/;
  await expect.poll(() => ready.test(running.output()) || running.process.exitCode !== null).toBe(true);
  expect(running.output()).toMatch(ready);
  return { ...running, url: ready.exec(running.output())?.[1] ?? "" };
};

/** The process of a worker that has lost both. It gives up after a while, in which the other tests run. */
let lost = 0;

it("a worker that trains outlives its server and its database", async () => {
  const server = await training();
  server.process.kill("SIGKILL");
  process.kill(await databasePid(), "SIGKILL");
  lost = server.worker;
  places++;
  expect(lost).toBeGreaterThan(0);
});

it("begins with a key, goes on where it was killed, and leaves no process when it ends", async () => {
  const before = await ended(start(command(["key", "list"], { compiles: true })));
  expect(before).toMatchObject({ code: 2, output: expect.stringContaining("has no database yet") });

  const first = await serve();
  await expect.poll(first.output).toMatch(/shown only once: rk_\S+/);
  const api_key = /rk_\S+/.exec(first.output())?.[0] ?? "";
  const submitted = await new RemoteClient({ base_url: first.url, api_key }).submitExperiment({
    manifest: cartPole,
    experiment_name: "poles",
  });
  first.process.kill("SIGKILL");
  await once(first.process, "exit");

  const second = await serve();
  expect(second.output()).not.toContain("shown only once");
  const client = new RemoteClient({ base_url: second.url, api_key });
  expect(await client.listExperiments("default")).toMatchObject([{ ...submitted, state: "queued" }]);

  const made = await ran("key", "create", "--scopes", "read", "--name", "reader");
  expect(made).toEqual({ code: 0, output: expect.stringMatching(/^rk_\S+\n$/) });
  const id = made.output.split("_")[1] ?? "";
  expect((await ran("key", "list")).output).toContain(`${id}  read  all projects  valid  never used  reader`);
  expect((await ran("key", "revoke", id)).code).toBe(0);
  const doctor = await ran("doctor");
  expect(doctor.output).toContain("ok    database: answers");
  expect(doctor).toMatchObject({
    code: 1,
    output: expect.stringContaining("wrong workers: none is running"),
  });

  second.process.kill("SIGTERM");
  expect(await once(second.process, "exit")).toEqual([0, null]);
  expect(await PrivatePostgres.pidOf(directory())).toBeNull();
});

const databasePid = async (): Promise<number> => (await PrivatePostgres.pidOf(directory())) ?? 0;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it("restarts a killed database, also one that a killed server left", async () => {
  const first = await serve();
  first.process.kill("SIGKILL");
  await once(first.process, "exit");
  const left = await databasePid();
  const second = await serve();
  expect(await databasePid()).toBe(left);
  for (let kills = 0; kills < 2; kills++) {
    const pid = await databasePid();
    process.kill(pid, "SIGKILL");
    await expect.poll(async () => [0, pid].includes(await databasePid())).toBe(false);
    await expect.poll(async () => (await fetch(`${second.url}/readyz`)).status).toBe(200);
  }
  second.process.kill("SIGTERM");
  expect(await once(second.process, "exit")).toEqual([0, null]);
  expect(await databasePid()).toBe(0);
});

interface Training extends Serving {
  /** The worker's process. */
  readonly worker: number;
  /** Holds its run. */
  readonly pause: () => Promise<void>;
}

/** A server and its worker, which trains a long run, in a directory without other runs. */
async function training(): Promise<Training> {
  places++;
  const server = await serving(run("serve", "--port", "0", "--threads", "1"));
  const made = await ran("key", "create");
  const client = new RemoteClient({ base_url: server.url, api_key: made.output.trim() });
  const manifest = { ...cartPole, training: { ...cartPole.training, max_steps: 1_000_000_000 } };
  const id = z.string().parse((await client.submitExperiment({ manifest })).experiment_id);
  await expect.poll(() => client.getExperiment(id)).toMatchObject({ state: "running" });
  const [worker] = await client.listWorkers();
  const pause = async () => {
    await client.pauseExperiment(id);
    await expect.poll(() => client.getExperiment(id)).toMatchObject({ state: "paused" });
  };
  return { ...server, worker: Number(worker?.pid), pause };
}

it("ends with a reason, and with its worker, where its database cannot be started again", async () => {
  const server = await training();
  // To try to start the database many times takes long, in which the run would train.
  await server.pause();
  const version = path.join(directory(), "postgres", "PG_VERSION");
  await rename(version, `${version}.away`);
  process.kill(await databasePid(), "SIGKILL");
  expect(await once(server.process, "exit")).toEqual([2, null]);
  expect(server.output()).toContain("PostgreSQL ended and could not be started again; its log is");
  expect(isAlive(server.worker)).toBe(false);
  await rename(`${version}.away`, version);
});

it("a second server on a data directory names the first", async () => {
  const first = await serve();
  const second = await ran(...SERVE);
  expect(second).toMatchObject({
    code: 2,
    output: expect.stringContaining(
      `--data: another rlkit-platform serve writes to ${directory()}: process ${first.process.pid}; stop it, or choose another directory`,
    ),
  });
  const manifest = path.join(parent, "run.json");
  await writeFile(manifest, JSON.stringify(cartPole));
  const rlkit = [process.execPath, bundled("src/cli/rlkit.ts"), "train", manifest, "--out", directory()];
  const train = start(rlkit);
  expect(await once(train.process, "close")).toEqual([2, null]);
  expect(train.output()).toContain(`--out: rlkit-platform serve writes to ${directory()}`);
  first.process.kill("SIGTERM");
  await once(first.process, "exit");
});

it("a worker that is started before its database waits for it", async () => {
  const worker = run("worker");
  await expect.poll(worker.output).toContain("the database cannot be reached");
  const server = await serve();
  await expect.poll(worker.output).toContain("it takes runs");
  worker.process.kill("SIGTERM");
  await once(worker.process, "exit");
  server.process.kill("SIGTERM");
  await once(server.process, "exit");
});

it("ends with the worker beside it", async () => {
  const server = run("serve", "--port", "0", "--threads", "1");
  await expect.poll(server.output).toContain("it takes runs");
  server.process.kill("SIGTERM");
  expect(await once(server.process, "close")).toEqual([0, null]);
});

it("is not opened to others without a proxy", async () => {
  const refused = await ran("serve", "--host", "0.0.0.0");
  expect(refused).toMatchObject({ code: 2, output: expect.stringContaining("--behind-proxy") });
});

it("answers with 507 where an artifact has no room, keeps nothing of it, and takes one that has", async () => {
  const postgres = await PrivatePostgres.open({ directory: directory(), log: () => undefined });
  // Limits the size of the process's files to 512 KiB. Larger writes fail as on a full disk.
  const limited = ["bash", "-c", 'ulimit -S -f 512 && exec "$@"', "bash"];
  const server = await serving(start([...limited, ...command([...SERVE, "--database", postgres.url])]));
  const made = await ran("key", "create", "--scopes", "worker");
  const put = async (bytes: Uint8Array<ArrayBuffer>) => {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const headers = {
      Authorization: `Bearer ${made.output.trim()}`,
      "Content-Type": "application/octet-stream",
    };
    const url = `${server.url}/v1/artifacts/${sha256}`;
    const { status } = await fetch(url, { method: "PUT", headers, body: bytes });
    return [status, await readdir(path.join(directory(), "artifacts", sha256.slice(0, 2)))];
  };
  expect(await put(new Uint8Array(2 ** 20))).toEqual([507, []]);
  expect(await put(new Uint8Array(2 ** 10))).toEqual([200, [expect.stringMatching(/^[0-9a-f]{64}$/)]]);
  server.process.kill("SIGTERM");
  await once(server.process, "exit");
  await postgres.close();
});

it("a worker that cannot return its run ends too", async () => {
  expect(lost).toBeGreaterThan(0);
  await expect.poll(() => isAlive(lost), { interval: 500 }).toBe(false);
});
