/** Jobs in Redis: runs end as they do with jobs in the database, whatever is killed. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { describeRedis, RedisQueues } from "../../platform/src/jobs/RedisQueues.ts";
import { lostNodeCase } from "./support/lostNodeCase.ts";
import { Machines } from "./support/Machines.ts";
import { TestRedis } from "./support/redis.ts";
import { claims, TrainedRuns } from "./support/TrainedRuns.ts";

describe("a platform with its jobs in Redis", () => {
  let redis: TestRedis;
  let runs: TrainedRuns;
  let machines: Machines;

  beforeAll(async () => {
    redis = await TestRedis.start();
    runs = await TrainedRuns.start({ queue_url: redis.url, reconcile_ms: 500 });
    machines = new Machines(runs);
  });

  // A failed case must not leave workers to the next one.
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await runs?.platform.killWorkers();
  });

  afterAll(async () => {
    await runs?.platform.close();
    await redis?.close();
  });

  lostNodeCase(() => ({ runs, machines }));

  it("two machines train on when Redis was killed, and a run that is submitted meanwhile is trained too", async () => {
    const { run } = await machines.begun();
    await runs.firstOf(run, "checkpoint");
    await redis.kill();
    const other = await runs.submit();
    await redis.restart();
    for (const each of [run, other]) await runs.assertWhole(each, await runs.watched(each));
  });

  it("a run of one machine trains on while Redis is away", async () => {
    await machines.both();
    const run = await runs.submit();
    await runs.firstOf(run, "checkpoint");
    await redis.kill();
    const events = await runs.watched(run);
    await runs.assertWhole(run, events);
    expect(claims(events)).toBe(1);
    await redis.restart();
  });

  it("adds jobs again that Redis lost, and does no run twice", async () => {
    await runs.platform.killWorkers();
    const run = await runs.submit();
    await redis.forget();
    await machines.both();
    const events = await runs.watched(run);
    await runs.assertWhole(run, events);
    expect(claims(events)).toBe(1);
  });
});

describe("a Redis that may lose jobs", () => {
  it.each([
    ["without AOF", { appendonly: "no" }, 'set "appendonly yes"'],
    ["with eviction", { "maxmemory-policy": "allkeys-lru" }, 'set "maxmemory-policy noeviction"'],
    ["with a password that was not given", { requirepass: "secret" }, "NOAUTH"],
  ])("is refused: one %s", async (_, settings, advice) => {
    const redis = await TestRedis.start(settings);
    try {
      await expect(describeRedis(redis.url)).rejects.toThrow(advice);
    } finally {
      await redis.close();
    }
  });

  it("is refused by the server too, and one that is away by the doctor", async () => {
    const redis = await TestRedis.start({ appendonly: "no" });

    await expect(
      RedisQueues.open({ id: "one", url: redis.url, waits: false, log: () => undefined }),
    ).rejects.toThrow(/found a Redis without AOF/);
    await redis.close();
    await expect(describeRedis(redis.url)).rejects.toThrow("ECONNREFUSED");
  });
});
