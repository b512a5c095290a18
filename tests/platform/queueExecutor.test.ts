/** Turns as jobs in a queue: failing machines, and two results of one turn. */
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { Queue } from "bullmq";
import { afterAll, beforeAll, expect, it } from "vitest";
import { directoryTurns } from "../../platform/src/artifacts/turnStores.ts";
import { Database } from "../../platform/src/database/Database.ts";
import { PostgresQueues } from "../../platform/src/jobs/PostgresQueues.ts";
import { TurnFiles } from "../../platform/src/nodes/files/TurnFiles.ts";
import { PendingTurns } from "../../platform/src/nodes/PendingTurns.ts";
import { QueueExecutor } from "../../platform/src/nodes/QueueExecutor.ts";
import type { TurnState } from "../../platform/src/nodes/TurnQueue.ts";
import { type TurnJob, turnQueueName } from "../../platform/src/nodes/turnJob.ts";
import { parseManifest } from "../../src/manifests/index.ts";
import { reasonOf } from "../../src/storage/files.ts";
import { Gate } from "../../src/training/loop.ts";
import { reinforcementLearning, type TurnOutcome } from "../../src/training/workloads.ts";
import { tinyDqn } from "../workers/support/manifests.ts";
import { memoryArtifacts } from "./support/FileMachines.ts";
import { TestPlatform } from "./support/platform.ts";

/** Longer than any machine is unresponsive in these tests. */
const LOCK_MS = 60_000;
const SEED = 7;
const ATTEMPT = { run: "00000000-0000-4000-8000-000000000000", attempt: 1 };

let platform: TestPlatform;
let database: Database;
let queues: PostgresQueues;
const log = (): void => undefined;

beforeAll(async () => {
  platform = await TestPlatform.start();
  database = new Database({ url: platform.postgres.url, log });
  queues = await PostgresQueues.open(database, log);
});

afterAll(async () => {
  await queues?.close();
  await database?.close();
  await platform?.close();
});

it("of two results of a turn the first counts; one of other bits ends the run", async () => {
  const manifest = parseManifest(tinyDqn({ pop_size: 2 }));
  const { firstState, prepare } = reinforcementLearning.runs;
  const { workload } = prepare(manifest, SEED);
  const state = firstState(manifest, SEED);
  const turnsOf = (generation: number) =>
    state.members.map((agent, slot) => ({ agent, turn: workload.turn(agent, slot, state, generation) }));
  // Outside the platform's directory, where the server would delete what belongs to no run.
  const store = directoryTurns(path.dirname(platform.directory))(ATTEMPT);
  const executor = new QueueExecutor({
    ...{ database, queues, store, attempt: ATTEMPT, resource_id: "test", lock_ms: LOCK_MS, onNotice: log },
    definition: reinforcementLearning,
    num_nodes: 2,
    cores: 1,
  });
  const gate = new Gate();
  await executor.open(workload.setup(state), gate);
  const outcomes = await executor.generation(turnsOf(1), [], () => undefined);
  const [first, second] = outcomes.map((outcome) => {
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.result;
  });
  if (!first?.off_policy || !second?.off_policy) throw new Error("the turns wrote nothing");
  // An evaluation within the generation is a job of its own.
  const turn = workload.evaluation?.(first.agent, 0, state, 8, "again");
  if (!turn) throw new Error("members of this run cannot be evaluated alone");
  const [again] = await executor.generation([{ agent: first.agent, turn }], [], () => undefined);
  expect(again).toMatchObject({ ok: true, result: { env_steps: 0, evaluation: { returns: { length: 8 } } } });
  gate.pause();
  const next = executor.generation(turnsOf(2), [], () => undefined);
  // It may fail before it is awaited.
  next.catch(() => undefined);

  const queue = new Queue(turnQueueName(ATTEMPT), { connection: queues.connection }, queues.backend);
  await queue.waitUntilReady();
  /** Reports the outcome of a machine that had lost the turn. */
  const tell = async (slot: number, outcome: string): Promise<void> => {
    const job = await queue.getJob(`1-${slot}-1`);
    await job?.updateProgress({ env_steps: 0, learn_steps: 0, score: null, outcome });
  };
  // The same bits, gzipped differently.
  const { outcome: told } = (await queue.getJob("1-1-1"))?.returnvalue ?? {};
  const record = JSON.parse(new TextDecoder().decode(await store.get(told)));
  const { written } = record.result.off_policy;
  const rows = gzipSync(gunzipSync(await store.get(written.rows)), { level: 9 });
  written.rows = await store.put(rows);
  await tell(1, await store.put(new TextEncoder().encode(JSON.stringify(record))));
  // Different bits.
  const files = new TurnFiles({ store, agents: reinforcementLearning.files });
  const other = await files.putOutcome({ ok: true, result: { ...first, fitness: first.fitness + 2 ** -40 } });
  await tell(0, other);
  await expect(next).rejects.toThrow("determinism: the turn of member 0 in generation 1");
  await queue.close();
  await executor.close();
});

const JOB: TurnJob = { generation: 3, slot: 1, turn: "a".repeat(64), history: "b".repeat(64) };

/** Pending turns with a queue that returns `states` in turn. */
async function pendingIn(...states: TurnState[]) {
  const added: string[] = [];
  const notices: string[] = [];
  const slices: number[] = [];
  const files = new TurnFiles({ store: memoryArtifacts(), agents: reinforcementLearning.files });
  const outcome: TurnOutcome = { ok: false, slot: 1, message: "its numbers are at fault", diverged: true };
  const answer = { outcome: await files.putOutcome(outcome), milliseconds: null };
  const pending = new PendingTurns({
    queue: {
      add: async (id) => void added.push(id),
      state: async () => states.shift() ?? { state: "answered", answer },
    },
    files,
    onSlice: ({ env_steps }) => void slices.push(env_steps),
    onAnswer: () => undefined,
    onNotice: (message) => void notices.push(message),
  });
  return { pending, added, notices, slices, trained: pending.train(JOB) };
}

const failed: TurnState = { state: "failed", reason: "out of memory" };
const unreadable: TurnState = {
  state: "answered",
  answer: { outcome: "c".repeat(64), milliseconds: 1 },
};

it("a turn at which a machine fails is tried again, and one whose job is gone is put in again", async () => {
  const { pending, added, notices, trained } = await pendingIn({ state: "missing" }, failed, unreadable);
  for (let i = 0; i < 4; i++) await pending.look();
  expect(await trained).toMatchObject({ ok: false, slot: 1, diverged: true });
  expect(added).toEqual(["3-1-1", "3-1-1", "3-1-2", "3-1-3"]);
  expect(notices[0]).toContain("failed at the turn of member 1 in generation 3 (out of memory)");
  expect(notices[1]).toContain("is not among the artifacts");
});

it("a turn at which every machine fails ends the run", async () => {
  const { pending, trained } = await pendingIn(failed, failed, failed);
  const refused = trained.then(() => null, reasonOf);
  for (let i = 0; i < 3; i++) await pending.look();
  expect(await refused).toContain("given up after 3 tries: out of memory");
});

it("work that a lost machine told of is taken back when another begins again", async () => {
  const { pending, slices, trained } = await pendingIn();
  trained.catch(() => undefined);
  const told = { learn_steps: 0, score: null, outcome: null };
  pending.progress("3-1-1", { ...told, env_steps: 60 });
  pending.progress("3-1-1", { ...told, env_steps: 20 });
  pending.cancel(new Error("over"));
  pending.progress("3-1-1", { ...told, env_steps: 100 });
  expect(slices).toEqual([60, -40]);
});

it("waits no longer once it is told that nobody does", async () => {
  const { pending, trained } = await pendingIn({ state: "open" });
  const refused = trained.then(() => null, reasonOf);
  pending.cancel(new Error("over"));
  expect(await refused).toBe("over");
  await pending.look();
});
