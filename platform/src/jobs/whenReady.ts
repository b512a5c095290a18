/**
 * Creates a BullMQ object. One created while its queue is unreachable never recovers, so it is created again.
 */
import type { Database } from "../database/Database.ts";

interface QueueObject {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

export async function whenReady<T extends QueueObject>(database: Database, make: () => T): Promise<T> {
  return database.persist(async () => {
    await database.ready();
    const made = make();
    try {
      await made.waitUntilReady();
      return made;
    } catch (error) {
      await made.close().catch(() => undefined);
      throw error;
    }
  });
}
