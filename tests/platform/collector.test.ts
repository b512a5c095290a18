/** Unreferenced artifacts are deleted, and no others. */
import { readdir, rename, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Database } from "../../platform/src/database/Database.ts";
import { checkpointsOf, insertCheckpoint } from "../../platform/src/runs/checkpointRows.ts";
import { ArtifactCollector } from "../../platform/src/server/ArtifactCollector.ts";
import { artifactsDirectory } from "../../platform/src/server/PlatformServer.ts";
import { cartPole } from "./support/cartPole.ts";
import { ask, submit } from "./support/client.ts";
import { TestPlatform } from "./support/platform.ts";
import { artifactsOf } from "./support/supervisor.ts";

const DAYS = 24 * 3600 * 1000;

let platform: TestPlatform;
let database: Database;
let key: string;

beforeAll(async () => {
  platform = await TestPlatform.start();
  database = new Database({ url: platform.postgres.url, log: () => undefined });
  key = await platform.key("admin");
  // Waits for the collection that the server runs at startup.
  await platform.server.collector.collect();
});

afterAll(async () => {
  await database?.close();
  await platform?.close();
});

/** Stores an artifact with a modification time some days ago. */
async function written(
  text: string,
  daysAgo: number,
): Promise<{ readonly sha256: string; readonly size: number }> {
  const bytes = new TextEncoder().encode(text);
  const sha256 = await artifactsOf(platform).put(bytes);
  const then = new Date(Date.now() - daysAgo * DAYS);
  await utimes(artifactsOf(platform).fileOf(sha256), then, then);
  return { sha256, size: bytes.byteLength };
}

/** Sorted names of all artifacts. */
async function kept(): Promise<string[]> {
  const directory = artifactsDirectory(platform.directory);
  const folders = await readdir(directory);
  return (await Promise.all(folders.map((folder) => readdir(path.join(directory, folder))))).flat().sort();
}

/** An ended run with one checkpoint per artifact. */
async function endedRun(...artifacts: { readonly sha256: string; readonly size: number }[]): Promise<string> {
  const run = await submit(platform, key, cartPole);
  for (const [generation, artifact] of artifacts.entries())
    await insertCheckpoint(database.query, run, {
      generation,
      global_step: generation,
      fitness: null,
      attempt: 1,
      files: { "member.safetensors": artifact },
    });
  await ask(platform, "POST", "/api/cli/v1/experiments/jobs/stop", { key, body: { experiment_name: run } });
  return run;
}

const hashes = (...artifacts: { readonly sha256: string }[]): string[] =>
  artifacts.map(({ sha256 }) => sha256).sort();

it("keeps what checkpoints, elites and reward modules are, what is new, and what was wanted again", async () => {
  const [named, elite, reward, fresh, again, gone] = [
    await written("named", 9),
    await written("elite", 9),
    await written("reward", 9),
    await written("fresh", 0.9),
    await written("again", 9),
    await written("gone", 1.1),
  ];
  const run = await endedRun(named);
  await database.query("UPDATE runs SET elite = $2, reward = $3 WHERE id = $1", [
    run,
    JSON.stringify(elite),
    JSON.stringify({ ...reward, name: "judge.mjs" }),
  ]);
  await artifactsOf(platform).put(new TextEncoder().encode("again"));
  expect(await kept()).toEqual(hashes(named, elite, reward, fresh, again, gone));
  expect(await platform.server.collector.collect()).toBe(1);
  expect(await kept()).toEqual(hashes(named, elite, reward, fresh, again));
  // Deleting a run makes the artifacts collectable that only it referred to.
  await database.query("DELETE FROM runs WHERE id = $1", [run]);
  expect(await platform.server.collector.collect()).toBe(3);
  expect(await kept()).toEqual(hashes(fresh, again));
});

it("keeps all that was written since a run began that has not ended", async () => {
  const run = await submit(platform, key, cartPole);
  await database.query("UPDATE runs SET created_at = now() - interval '5 days' WHERE id = $1", [run]);
  const [older, since] = [await written("older", 6), await written("since", 4)];
  expect(await platform.server.collector.collect()).toBe(1);
  expect(await kept()).not.toContain(older.sha256);
  expect(await kept()).toContain(since.sha256);
  await ask(platform, "POST", "/api/cli/v1/experiments/jobs/stop", { key, body: { experiment_name: run } });
  expect(await platform.server.collector.collect()).toBe(1);
});

it("keeps what a collector had in its hands when it was killed", async () => {
  const { sha256, size } = await written("held", 9);
  await endedRun({ sha256, size });
  const file = artifactsOf(platform).fileOf(sha256);
  await rename(file, `${file}.going`);
  expect(await platform.server.collector.collect()).toBe(0);
  expect((await stat(file)).size).toBe(size);
});

it("deletes what is left of an upload that was cut off long ago", async () => {
  const { sha256 } = await written("one", 0);
  const left = `${artifactsOf(platform).fileOf(sha256)}.1234.rlkit-tmp`;
  await writeFile(left, "half");
  await utimes(left, new Date(0), new Date(0));
  expect(await platform.server.collector.collect()).toBe(1);
  await expect(stat(left)).rejects.toThrow("ENOENT");
});

it("keeps the newest checkpoints of each run, where it is told how many", async () => {
  const [a, b, c] = [await written("a", 3), await written("b", 3), await written("c", 3)];
  const [run, other] = [await endedRun(a, b, c), await endedRun(b)];
  const directory = artifactsDirectory(platform.directory);
  const log = (): void => undefined;
  const collector = new ArtifactCollector({ database, directory, keep_checkpoints: 1, log });
  await collector.close();
  const left = async (id: string) => (await checkpointsOf(database.query, id)).map((row) => row.generation);
  expect([await left(run), await left(other)]).toEqual([[2], [0]]);
  expect(await kept()).not.toContain(a.sha256);
  expect(await kept()).toEqual(expect.arrayContaining(hashes(b, c)));
});
