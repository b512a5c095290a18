/** Connections that the database ends while they are in use between two statements. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Database } from "../../platform/src/database/Database.ts";
import { PostgresQueues } from "../../platform/src/jobs/PostgresQueues.ts";
import { TestPlatform } from "./support/platform.ts";

let platform: TestPlatform;
let database: Database;
let queues: PostgresQueues;
const logs: string[] = [];
const log = (message: string): void => void logs.push(message);

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

/** Ends a connection as a limit of the server does, and waits until its client has heard. */
async function endOf(pid: unknown): Promise<void> {
  await database.query("SELECT pg_terminate_backend($1)", [pid]);
  await expect.poll(() => logs).toHaveLength(1);
}

it("of a transaction fails it, and the next one has another", async () => {
  const transaction = database.transaction(async (query) => {
    const [row] = await query("SELECT pg_backend_pid() AS pid");
    await endOf(row?.pid);
    return query("SELECT 1");
  });
  await expect(transaction).rejects.toThrow(/connection|not queryable/);
  expect(logs.splice(0)).toEqual([expect.stringContaining("the database cannot be reached")]);
  expect(await database.transaction((query) => query("SELECT 1 AS one"))).toEqual([{ one: 1 }]);
});

it("of a queue leaves the process alive, and the queue goes on", async () => {
  const client = await queues.connection.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  await endOf(rows[0]?.pid);
  await expect(client.query("SELECT 1")).rejects.toThrow(/not queryable|terminated/);
  client.release(true);
  expect(logs.splice(0)).toEqual([expect.stringContaining("the queue's database cannot be reached")]);
  await queues.migrate();
});
