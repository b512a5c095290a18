/** Event streams of a client that does not read, and of a run without events. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Database } from "../../platform/src/database/Database.ts";
import { Notifications } from "../../platform/src/database/Notifications.ts";
import { EventStreams } from "../../platform/src/http/stream/EventStreams.ts";
import { RUNS_CHANNEL } from "../../platform/src/runs/RunRow.ts";
import { RunTable } from "../../platform/src/runs/RunTable.ts";
import { cartPole } from "./support/cartPole.ts";
import { ask, eventsOf, type StreamedEvent, streamed, submit } from "./support/client.ts";
import { TestPlatform } from "./support/platform.ts";

/** More than fits into the system's own buffers. */
const EVENTS = 400;
const EVENT_BYTES = 100_000;

/** Maximum bytes that the platform may buffer for one stream. */
const LITTLE = 4 * EVENT_BYTES;

let platform: TestPlatform;
let database: Database;

beforeAll(async () => {
  platform = await TestPlatform.start();
  database = new Database({ url: platform.postgres.url, log: () => undefined });
});

afterAll(async () => {
  await database?.close();
  await platform?.close();
});

/** A run that has ended, with many large events. */
async function talkativeRun(): Promise<string> {
  const run = await submit(platform, await platform.key("submit"), cartPole);
  await database.query(
    `INSERT INTO run_events (run, seq, key, kind, payload)
     SELECT $1, n, 'large:' || n, 'warning', jsonb_build_object('message', repeat('x', ${EVENT_BYTES}))
     FROM generate_series(2, ${EVENTS + 1}) AS n`,
    [run],
  );
  await database.query(`UPDATE runs SET last_seq = ${EVENTS + 1}, state = 'stopped' WHERE id = $1`, [run]);
  return run;
}

it("waits for a client that never reads, keeps little for it, and serves others meanwhile", async () => {
  const run = await talkativeRun();
  const runs = new RunTable(database);
  const changes = new Notifications(database, RUNS_CHANNEL);
  const streams = new EventStreams({ database, runs, changes });
  const responses: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (_, response) => {
    responses.push(response);
    void streams.send(response, { run, after: 0, key: "one" });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const silent = connect(port, "127.0.0.1");
  silent.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  await expect.poll(() => responses.length).toBe(1);

  for (let reader = 0; reader < 3; reader++) {
    const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    expect(text.match(/^event: warning$/gm)).toHaveLength(EVENTS);
    expect(responses[0]?.writableLength).toBeLessThan(LITTLE);
  }
  expect(streams.open).toBe(1);

  silent.destroy();
  await expect.poll(() => streams.open).toBe(0);
  server.close();
  await changes.close();
});

it("says that it lives though a run's changes, of which there is nothing to tell, wake it again and again", async () => {
  const run = await submit(platform, await platform.key("submit"), cartPole);
  const changes = new Notifications(database, RUNS_CHANNEL);
  const streams = new EventStreams({ database, runs: new RunTable(database), changes, comment_ms: 200 });
  const server = createServer(
    { keepAliveTimeout: 0 },
    (_, response) => void streams.send(response, { run, after: 0, key: "one" }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const ended = new AbortController();
  const waker = setInterval(
    () => void database.query("SELECT pg_notify($1, $2)", [RUNS_CHANNEL, run]).catch(() => undefined),
    20,
  );
  try {
    const { body } = await fetch(`http://127.0.0.1:${port}/`, { signal: ended.signal });
    let text = "";
    for await (const bytes of body ?? []) {
      text += Buffer.from(bytes).toString();
      if (text.split(": still here").length > 3) break;
    }
    expect(text.match(/^event: .*$/gm)).toEqual(["event: state"]);
  } finally {
    clearInterval(waker);
    ended.abort();
    await expect.poll(() => streams.open).toBe(0);
    server.close();
    await changes.close();
  }
});

it("tells the end of a run again to who has heard all of it", async () => {
  const key = await platform.key("submit", "read");
  const run = await submit(platform, key, cartPole);
  await ask(platform, "POST", "/api/cli/v1/experiments/jobs/stop", {
    key,
    body: { experiment_name: run },
  });
  const [, end] = await eventsOf(platform, key, run);
  expect(end).toMatchObject({ id: 2, event: "state", data: { state: "stopped" } });
  for (const after of [2, 7]) {
    const again: StreamedEvent[] = [];
    for await (const event of streamed(platform, key, run, { after })) again.push(event);
    expect(again).toEqual([{ ...end, id: null }]);
  }
});
