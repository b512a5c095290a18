/** Where jobs are kept: the connection and backend of BullMQ's queues and workers. */
import type { BackendFactory, IQueueBackend } from "bullmq";
import type { Redis } from "ioredis";
import type pg from "pg";
import { z } from "zod";
import type { Database } from "../database/Database.ts";

export const queuePlaceSchema = z.enum(["database", "redis"]);

export type QueuePlace = z.infer<typeof queuePlaceSchema>;

type QueueConnection = pg.Pool | Redis;

/** Pass `connection` and `backend` to each BullMQ constructor, and the object's errors to `failed`. */
export interface Queues {
  readonly place: QueuePlace;
  readonly connection: QueueConnection;
  readonly backend: BackendFactory<IQueueBackend, QueueConnection>;
  /** Called for every error of queues and workers. */
  failed(error: unknown): void;
  /** Called whenever the queue has answered. */
  answered(): void;
  /** Closes the connections. Close queues and workers first. */
  close(): Promise<void>;
}

interface QueueObject {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Creates a BullMQ object. One created while its queue is unreachable never recovers, so it is created again.
 */
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

/** Checks for expired locks per lock duration. */
const LOOKS = 4;

/** Number of times a job may lose its worker before it fails. */
const MOST_STALLED = 5;

/** Milliseconds until a failed queue is retried. */
const AGAIN_MS = 1000;

/**
 * Options that all consumers of queues share.
 *
 * @param lock_ms Milliseconds without a heartbeat after which a worker loses its job.
 */
export const consumerOptions = (lock_ms: number) => ({
  lockDuration: lock_ms,
  stalledInterval: Math.ceil(lock_ms / LOOKS),
  maxStalledCount: MOST_STALLED,
  runRetryDelay: AGAIN_MS,
});
