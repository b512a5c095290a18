import { z } from "zod";
import type { Database } from "../database/Database.ts";
import { PostgresQueues } from "./PostgresQueues.ts";
import type { Queues } from "./Queues.ts";
import { RedisQueues } from "./RedisQueues.ts";

interface QueuesOptions {
  readonly database: Database;
  /** URL of the Redis that keeps the jobs; null if the database keeps them. */
  readonly queue_url: string | null;
  /** Whether this is the server, whose commands fail while Redis is unreachable. Workers wait. */
  readonly isServer: boolean;
  readonly log: (message: string) => void;
}

/**
 * Opens the queues once their store answers; the platform's tables must exist.
 * @throws Error if Redis cannot be used.
 */
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
