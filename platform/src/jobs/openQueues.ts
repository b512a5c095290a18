import { z } from "zod";
import type { Database } from "../database/Database.ts";
import { PostgresQueues } from "./PostgresQueues.ts";
import type { Queues } from "./Queues.ts";
import { RedisQueues } from "./RedisQueues.ts";

export interface QueuesOptions {
  readonly database: Database;
  /** Address of the Redis that keeps the jobs; null where the database does. */
  readonly queue_url: string | null;
  /** Of the server, which answers while Redis is away; workers wait for it. */
  readonly isServer: boolean;
  readonly log: (message: string) => void;
}

/** Opens the place where jobs are kept, when it answers; the tables are there by then. @throws Error for a Redis that cannot be used. */
export async function openQueues({ database, queue_url, isServer, log }: QueuesOptions): Promise<Queues> {
  if (queue_url !== null) {
    const [platform] = await database.persist(() => database.query("SELECT id FROM platform"));
    const { id } = z.object({ id: z.string() }).parse(platform);
    return RedisQueues.open({ id, url: queue_url, waits: !isServer, log });
  }
  const queues = await PostgresQueues.open(database, log);
  if (isServer) await queues.migrate();
  return queues;
}
