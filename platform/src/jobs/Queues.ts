/** Where jobs are kept: the connection and backend of BullMQ's queues and workers. */
import type { BackendFactory, IQueueBackend } from "bullmq";
import type { Redis } from "ioredis";
import type pg from "pg";
import { z } from "zod";

export const queuePlaceSchema = z.enum(["database", "redis"]);

export type QueuePlace = z.infer<typeof queuePlaceSchema>;

export type QueueConnection = pg.Pool | Redis;

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
