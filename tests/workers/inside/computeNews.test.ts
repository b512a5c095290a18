/** A data set that a compute worker receives in parts before its first turn. */
import { expect, it } from "vitest";
import { Gate, StoppedError } from "../../../src/training/loop.ts";
import { ComputeClient, WorkerLostError } from "../../../src/workers/compute/computeClient.ts";
import type { ThreadEvents, ToCompute } from "../../../src/workers/index.ts";

/** A worker whose answers the test sends. */
function opened(news: AsyncIterable<unknown> | Iterable<unknown>) {
  const posted: ToCompute["type"][] = [];
  let events: ThreadEvents | null = null;
  const client = new ComputeClient({
    gate: new Gate(),
    spawn: (given) => {
      events = given;
      return { post: ({ type }) => posted.push(type), terminate: () => undefined };
    },
    setup: { workload: "rl" },
    modules: [],
    news,
    silenceMs: 60_000,
  });
  if (!events) throw new Error("no worker was started");
  return { client, posted, events: events as ThreadEvents };
}

/** An endless source of parts, and the number of parts read. */
function endless() {
  const told = { read: 0, left: false };
  const parts = async function* () {
    try {
      for (;;) yield told.read++;
    } finally {
      told.left = true;
    }
  };
  return { told, parts: parts() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("the next part is read when the worker has taken in all but one", async () => {
  const { told, parts } = endless();
  const { client, posted, events } = opened(parts);
  await settled();
  expect([posted, told.read]).toEqual([["open"], 0]);
  events.message({ type: "ready" });
  await settled();
  expect(posted).toEqual(["open", "news", "news"]);
  events.message({ type: "heard" });
  await settled();
  expect(posted).toEqual(["open", "news", "news", "news"]);
  client.end();
  await settled();
  expect(told).toEqual({ read: 3, left: true });
  await expect(client.opened).rejects.toThrow(StoppedError);
});

it("the worker has opened when it was told all", async () => {
  const { client, posted, events } = opened([1, 2]);
  let isOpen = false;
  void client.opened.then(() => {
    isOpen = true;
  });
  events.message({ type: "ready" });
  await settled();
  expect([posted.length, isOpen]).toEqual([3, false]);
  events.message({ type: "heard" });
  await client.opened;
  client.end();
});

it("what cannot be read is what the worker's run ends with", async () => {
  const failing = async function* () {
    yield 1;
    throw new RangeError("the data set was deleted");
  };
  const { client, events } = opened(failing());
  events.message({ type: "ready" });
  await expect(client.opened).rejects.toThrow(RangeError);
  await expect(client.turn({} as never, () => undefined)).rejects.toThrow("the data set was deleted");
});

it("a worker that is lost before it opened leaves its news", async () => {
  const { told, parts } = endless();
  const { client, events } = opened(parts);
  await parts.next();
  events.failed("the script could not be loaded");
  await expect(client.opened).rejects.toThrow(WorkerLostError);
  await settled();
  expect(told.left).toBe(true);
});
