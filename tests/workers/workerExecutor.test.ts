import { describe, expect, it } from "vitest";
import { InThreadExecutor } from "../../src/training/inThreadExecutor.ts";
import { spawnNodeWorker } from "../../src/workers/spawn/node.ts";
import { WorkerExecutor } from "../../src/workers/workerExecutor.ts";
import { tinyDqn, tinyPpo } from "./support/manifests.ts";
import { trainWith } from "./support/trainWith.ts";

describe.each([
  ["DQN", tinyDqn()],
  ["PPO", tinyPpo()],
])("%s in worker threads", (_, manifest) => {
  it.each([1, 2, 3])("ends with the bits of a run in one thread: %i workers", async (workers) => {
    const expected = await trainWith(new InThreadExecutor(), manifest);
    expect(expected.generation).toBeGreaterThanOrEqual(4);
    const found = await trainWith(new WorkerExecutor({ spawn: spawnNodeWorker, workers }), manifest);
    expect(found).toEqual(expected);
  });
});
