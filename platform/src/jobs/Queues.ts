/** Where jobs are kept: what BullMQ's queues and workers are made with. */
import type { BackendFactory, IQueueBackend } from "bullmq";
import type { Redis } from "ioredis";
import type pg from "pg";
import { z } from "zod";

export const queuePlaceSchema = z.enum(["database", "redis"]);

export type QueuePlace = z.infer<typeof queuePlaceSchema>;

export type QueueConnection = pg.Pool | Redis;

/** Hand `connection` and `backend` to each of BullMQ's constructors, and its errors to `failed`. */
export interface Queues {
  readonly place: QueuePlace;
  readonly connection: QueueConnection;
  readonly backend: BackendFactory<IQueueBackend, QueueConnection>;
  /** Told of every error of queues and workers. */
  failed(error: unknown): void;
  /** Told of every sign of life. */
  answered(): void;
  /** Ends the connections, once queues and workers are closed. */
  close(): Promise<void>;
}
