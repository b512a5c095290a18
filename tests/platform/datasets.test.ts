/** Data sets that are uploaded for a project's runs. */
import { createHash } from "node:crypto";
import { stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RemoteClient, RemoteFileNotFoundError } from "../../src/remote/index.ts";
import { minariBytes } from "../datasets/support/hdf5Files.ts";
import { EPISODES, STEPS } from "../training/support/tinyData.ts";
import { ask, eventsOf, submit } from "./support/client.ts";
import { TestPlatform } from "./support/platform.ts";
import { artifactsOf, withSupervisor } from "./support/supervisor.ts";

const OLD = new Date(0);

let platform: TestPlatform;
let admin: string;
let bytes: Uint8Array;
let sha256: string;

beforeAll(async () => {
  platform = await TestPlatform.start();
  admin = await platform.key("admin");
  bytes = await minariBytes(EPISODES);
  sha256 = createHash("sha256").update(bytes).digest("hex");
  await platform.server.collector.collect();
});

afterAll(async () => {
  await platform?.close();
});

const clientOf = (api_key: string, project?: string): RemoteClient =>
  new RemoteClient({ base_url: platform.url, api_key, ...(project ? { project } : {}) });

const learning = (dataset_path: string) => ({
  algorithm: { name: "CQN", batch_size: 8 },
  environment: { env_type: "offline", name: "CartPole-v1", num_envs: 2, dataset_path },
  training: { pop_size: 2, max_steps: 120, evo_steps: 60, eval_steps: 50 },
  network: { encoder_config: { hidden_size: [16] }, head_config: { hidden_size: [16] } },
});

it("a run learns from an upload, by its path or as bytes", async () => {
  const file = path.join(path.dirname(platform.directory), "own.hdf5");
  await writeFile(file, bytes);
  const client = clientOf(await platform.key("submit"));
  const dataset_path = await client.uploadDataset(file);
  expect(dataset_path).toBe(`uploads/${sha256}`);
  expect(await client.uploadDataset(bytes)).toBe(dataset_path);
  await expect(client.uploadDataset(`${file}.away`)).rejects.toThrow(RemoteFileNotFoundError);
  await withSupervisor(platform, async () => {
    const run = await submit(platform, admin, learning(dataset_path));
    const events = await eventsOf(platform, admin, run);
    expect(events.at(-1)?.data).toMatchObject({ state: "finished" });
  });
  expect(STEPS).toBeGreaterThan(0);
});

it("another project names it only after its own upload, and a bound key uploads to its project alone", async () => {
  await ask(platform, "POST", "/api/cli/v1/projects/create", { key: admin, body: { name: "maze" } });
  const scopes = ["submit"] as const;
  const bound = await platform.server.keys.create({ name: "bound", scopes, project: "maze" });
  const manifest = learning(`uploads/${sha256}`) as never;
  const client = clientOf(bound);
  await expect(client.submitExperiment({ manifest })).rejects.toThrow(
    `environment.dataset_path: found "uploads/${sha256}", of which the project "maze" has no upload`,
  );
  await expect(client.uploadDataset(bytes, { project: "default" })).rejects.toThrow('project "default"');
  await client.uploadDataset(bytes);
  expect(await client.submitExperiment({ manifest })).toMatchObject({ experiment_id: expect.any(String) });
});

it("what is no upload is refused by its place", async () => {
  const { status, message } = await ask(platform, "POST", "/api/cli/v1/experiments/jobs/submit", {
    key: admin,
    body: { manifest: learning("uploads/../../pepper") },
  });
  expect(status).toBe(422);
  expect(message).toContain('environment.dataset_path: found "uploads/../../pepper"');
  expect(message).toContain("or the dataset_path of an uploaded HDF5 file");
});

it("an upload is kept while a run names it, and no longer than a day without", async () => {
  const other = new TextEncoder().encode("of no run");
  await clientOf(admin).uploadDataset(other);
  const unnamed = createHash("sha256").update(other).digest("hex");
  const fileOf = (hash: string) => artifactsOf(platform).fileOf(hash);
  for (const hash of [sha256, unnamed]) await utimes(fileOf(hash), OLD, OLD);
  await platform.server.collector.collect();
  await expect(stat(fileOf(sha256))).resolves.toBeDefined();
  await expect(stat(fileOf(unnamed))).rejects.toThrow("ENOENT");
});
