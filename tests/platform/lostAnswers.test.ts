/** Turns whose answer is lost: the machine that trained them takes them again, and gives the same answer. */
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import type { TurnStore } from "../../platform/src/artifacts/ArtifactStore.ts";
import { Database } from "../../platform/src/database/Database.ts";
import { openQueues } from "../../platform/src/jobs/openQueues.ts";
import type { Queues } from "../../platform/src/jobs/Queues.ts";
import { QueueExecutor } from "../../platform/src/nodes/QueueExecutor.ts";
import { reinforcementLearning } from "../../src/training/workloads.ts";
import { inThread } from "../training/support/rlRuns.ts";
import { tinyDqn } from "../workers/support/manifests.ts";
import { trainWith } from "../workers/support/trainWith.ts";
import { memoryArtifacts } from "./support/FileMachines.ts";
import { LOCK_MS, TestPlatform } from "./support/platform.ts";
import { TestRedis } from "./support/redis.ts";

const ATTEMPT = { run: "00000000-0000-4000-8000-000000000000", attempt: 1 };

/** Members and generations of the run. The replay buffers are full in the last generation. */
const [MEMBERS, GENERATIONS] = [3, 4];

const log = (): void => undefined;

/** Removes the locks of all turns in training, so that their answers are rejected. */
async function loseLocks({ connection }: Queues): Promise<void> {
  if (connection instanceof Redis) {
    await connection.del(await connection.keys("*:turns-*:lock"));
    return;
  }
  await connection.query(
    "UPDATE job SET lock_token = 'lost', locked_until_ms = 0 WHERE state = 'active' AND queue LIKE 'turns-%'",
  );
}

/** Runs `work` with queues at a place. */
async function withQueues(
  place: string,
  work: (queues: Queues, database: Database) => Promise<void>,
): Promise<void> {
  const redis = place === "Redis" ? await TestRedis.start() : null;
  const queue_url = redis?.url ?? null;
  const platform = await TestPlatform.start({ queue_url });
  const database = new Database({ url: platform.postgres.url, log });
  const queues = await openQueues({ database, queue_url, isServer: false, log });
  try {
    await work(queues, database);
  } finally {
    await queues.close();
    await database.close();
    await platform.close();
    await redis?.close();
  }
}

describe.each(["the database", "Redis"])("with its jobs in %s", (place) => {
  it("a turn whose answer was lost is answered again with the same bits, and the run ends with those of one machine", () =>
    withQueues(place, async (queues, database) => {
      const own = memoryArtifacts();
      const outcomes: string[] = [];
      const store: TurnStore = {
        get: (sha256) => own.get(sha256),
        remove: async (sha256) => void own.kept.delete(sha256),
        put: async (bytes) => {
          const sha256 = await own.put(bytes);
          if (!new TextDecoder().decode(bytes.subarray(0, 10)).startsWith('{"ok":true')) return sha256;
          outcomes.push(sha256);
          if (outcomes.length === MEMBERS * GENERATIONS - 1) await loseLocks(queues);
          return sha256;
        },
      };
      const executor = new QueueExecutor({
        ...{ database, queues, store, attempt: ATTEMPT, resource_id: "test", lock_ms: LOCK_MS },
        definition: reinforcementLearning,
        num_nodes: 2,
        cores: 1,
        onNotice: log,
      });
      const manifest = tinyDqn({ pop_size: MEMBERS, max_steps: 128 * GENERATIONS });
      expect(await trainWith(executor, manifest)).toEqual(await trainWith(inThread(), manifest));
      const lost = outcomes[MEMBERS * GENERATIONS - 2];
      // A busy machine may also lose a lock without this test, and then answers once more.
      expect(outcomes.filter((sha256) => sha256 === lost).length).toBeGreaterThan(1);
    }));
});
