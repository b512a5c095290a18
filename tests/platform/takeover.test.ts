/** Runs whose worker is lost: another goes on, and the run ends as if nothing had happened. */
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import type { ArtifactStore } from "../../platform/src/artifacts/ArtifactStore.ts";
import { DirectoryArtifacts } from "../../platform/src/artifacts/DirectoryArtifacts.ts";
import { directoryTurns } from "../../platform/src/artifacts/turnStores.ts";
import { Database } from "../../platform/src/database/Database.ts";
import { artifactsDirectory } from "../../platform/src/server/PlatformServer.ts";
import { Supervisor } from "../../platform/src/worker/Supervisor.ts";
import { RemoteClient } from "../../src/remote/index.ts";
import { memoryFileStore, StorageError } from "../../src/storage/index.ts";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { cartPole, GENERATIONS, type Trained, trainedInZip, trainedLocally } from "./support/cartPole.ts";
import { ask, type StreamedEvent, streamed } from "./support/client.ts";
import { TestPlatform } from "./support/platform.ts";

let platform: TestPlatform;
let key: string;
let client: RemoteClient;
let local: Trained;

beforeAll(async () => {
  platform = await TestPlatform.start();
  key = await platform.key("admin");
  client = new RemoteClient({ base_url: platform.url, api_key: key });
  local = await trainedLocally(cartPole);
});

afterEach(() => platform.killWorkers());

afterAll(async () => {
  await platform?.close();
});

/** Resolves with the first event of a kind. */
async function firstOf(run: string, kind: string): Promise<void> {
  for await (const { event } of streamed(platform, key, run)) if (event === kind) return;
  throw new Error(`the run ended without an event "${kind}"`);
}

/** Resolves when the run's state is this one. */
async function stateOf(run: string, state: string): Promise<void> {
  for await (const { data } of streamed(platform, key, run)) if (data.state === state) return;
  throw new Error(`the run ended and was not ${state}`);
}

/** All events of a run to its end, over connections that each end after a few events. */
async function watched(run: string): Promise<StreamedEvent[]> {
  const all: StreamedEvent[] = [];
  for (let over = false; !over; ) {
    over = true;
    const after = all.at(-1)?.id ?? 0;
    let count = 0;
    for await (const event of streamed(platform, key, run, { after })) {
      if (event.id === null) continue;
      all.push(event);
      if (++count < 5) continue;
      over = false;
      break;
    }
  }
  return all;
}

/** All kept events of a run to its end, as the library's client sees them over lost connections. */
async function eventsByClient(run: string): Promise<StreamedEvent[]> {
  const all: StreamedEvent[] = [];
  for await (const { seq, event, data } of client.watchExperiment(run))
    if (seq !== null) all.push({ id: seq, event, data: { ...data } });
  return all;
}

/** That the run ended well: the bits of a local one, every generation told once and every number seen once. */
async function assertWhole(run: string, events: readonly StreamedEvent[]): Promise<void> {
  expect(events.at(-1)).toMatchObject({ event: "state", data: { state: "finished", reason: "max_steps" } });
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
  const generations = events.filter(({ event }) => event === "generation").map(({ data }) => data.generation);
  expect(generations).toEqual(Array.from({ length: GENERATIONS }, (_, i) => i + 1));
  const there = await trainedInZip((await client.downloadCheckpoint(run)).zip);
  expect(Object.fromEntries(there)).toEqual(Object.fromEntries(local.files));
  expect(await client.downloadElite(run)).toEqual(local.elite);
}

/** Submits the run. @returns its id. */
const submitted = async (): Promise<string> =>
  z.string().parse((await client.submitExperiment({ manifest: cartPole })).experiment_id);

/** How often a worker took the run. */
const claims = (events: readonly StreamedEvent[]): number =>
  events.filter(({ event, data }) => event === "state" && data.state === "running").length;

it("a worker that is killed is followed by one on another machine, from the last checkpoint", async () => {
  const first = platform.worker();
  const run = await submitted();
  await firstOf(run, "checkpoint");
  first.process.kill("SIGKILL");
  await once(first.process, "exit");
  platform.worker(await platform.key("worker"));
  const events = await watched(run);
  await assertWhole(run, events);
  expect(claims(events)).toBe(2);
});

it("a worker that is frozen past its lock writes nothing more when it wakes up", async () => {
  const frozen = platform.worker();
  const run = await submitted();
  await firstOf(run, "checkpoint");
  frozen.process.kill("SIGSTOP");
  platform.worker();
  const events = await watched(run);
  await assertWhole(run, events);
  frozen.process.kill("SIGCONT");
  await expect.poll(frozen.log).toContain("is lost");
  expect(await watched(run)).toEqual(events);
});

it("a worker that is told to end gives its run back", async () => {
  const first = platform.worker();
  const run = await submitted();
  await firstOf(run, "checkpoint");
  first.process.kill("SIGTERM");
  await once(first.process, "exit");
  expect(first.log()).toContain("is released");
  platform.worker();
  await assertWhole(run, await watched(run));
});

it("a run is held, let go on, stopped and resumed, and ends as if nothing had happened", async () => {
  platform.worker();
  const run = await submitted();
  await firstOf(run, "checkpoint");
  const act = async (action: string) =>
    (await ask(platform, "POST", `/v1/runs/${run}/${action}`, { key })).status;
  expect(await act("pause")).toBe(200);
  await stateOf(run, "paused");
  expect(await act("resume")).toBe(200);
  await client.stopExperiment(run);
  const stopped = await watched(run);
  expect(stopped.at(-1)).toMatchObject({ event: "state", data: { state: "stopped" } });
  await client.resumeExperiment(run, cartPole.training.max_steps);
  await assertWhole(run, await watched(run));
});

it("a disk that is full holds a checkpoint up, of which the run tells, until there is room", async () => {
  const log = (): void => undefined;
  const own = new DirectoryArtifacts(nodeFileStore(), artifactsDirectory(platform.directory));
  let refusals = 2;
  const artifacts: ArtifactStore = {
    get: (sha256) => own.get(sha256),
    put: async (bytes) => {
      if (refusals-- > 0) throw new StorageError("full", "artifacts", "has no room");
      return own.put(bytes);
    },
  };
  const database = new Database({ url: platform.postgres.url, log });
  const turns = directoryTurns(platform.directory);
  const supervisor = await Supervisor.start({
    database,
    artifacts,
    turns,
    files: memoryFileStore(),
    log,
    cores: 1,
  });
  try {
    const run = await submitted();
    const events = await watched(run);
    await assertWhole(run, events);
    const warnings = events
      .filter(({ event }) => event === "warning")
      .map(({ data }) => String(data.message));
    expect(warnings.filter((message) => message.includes("waits for room"))).toHaveLength(1);
  } finally {
    await supervisor.close();
    await database.close();
  }
});

it("a database that is killed comes back, and the run goes on before the eyes of who watches it", async () => {
  platform.worker();
  const run = await submitted();
  const watching = eventsByClient(run);
  await firstOf(run, "checkpoint");
  process.kill((await platform.postgres.pid()) ?? 0, "SIGKILL");
  await assertWhole(run, await watching);
});
