/** Queues that keep their jobs in Redis. The runs themselves stay in PostgreSQL. */
import { createRedisBackend } from "bullmq";
import { Redis, type RedisOptions } from "ioredis";
import { Outages } from "../database/Outages.ts";
import type { Queues } from "./Queues.ts";

/** The settings that Redis needs so that no job is lost. */
const OLDEST = 7;

/** Parses the reply of `INFO`. */
function fieldsOf(info: string): ReadonlyMap<string, string> {
  const lines = info.split(/\r?\n/).map((line) => line.split(":"));
  return new Map(lines.map(([name = "", ...value]) => [name, value.join(":")]));
}

/**
 * Checks a Redis server. @returns a description of it.
 * @throws Error that says what was found and which setting to change; Redis's own error for a wrong password.
 */
async function requireSafeRedis(redis: Redis): Promise<string> {
  const fields = fieldsOf(await redis.info());
  const found = (name: string): string => fields.get(name) ?? "nothing";
  const version = found("redis_version");
  if (!(Number.parseInt(version, 10) >= OLDEST))
    throw new Error(`--queue: found Redis ${version}, allowed ${OLDEST} or newer; upgrade it`);
  if (found("aof_enabled") !== "1")
    throw new Error(
      '--queue: found a Redis without AOF, which loses jobs when it is killed; set "appendonly yes" in its redis.conf and restart it',
    );
  const policy = found("maxmemory_policy");
  if (policy !== "noeviction")
    throw new Error(
      `--queue: found a Redis with maxmemory-policy ${policy}, which drops jobs when its memory is full; set "maxmemory-policy noeviction" in its redis.conf and restart it`,
    );
  return `Redis ${version}, with AOF and without eviction`;
}

/** Connects to a URL and does the same. @throws Error also if Redis does not answer. */
export async function describeRedis(url: string): Promise<string> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  let reason: Error | null = null;
  redis.on("error", (error) => {
    reason ??= error;
  });
  try {
    // `connect` rejects only with "connection is closed"; the error event before it has the reason.
    await redis.connect().catch((error: unknown) => {
      throw reason ?? error;
    });
    return await requireSafeRedis(redis);
  } finally {
    redis.disconnect();
  }
}

interface RedisQueuesOptions {
  /** ID of the platform: several platforms may share one Redis. */
  readonly id: string;
  /** `redis://user:password@host:port/number`, or `rediss://` for TLS. */
  readonly url: string;
  /**
   * Whether commands wait while Redis is unreachable. A server must respond, so its commands fail instead.
   */
  readonly waits: boolean;
  /** Called when Redis becomes unreachable and when it is back. */
  readonly log: (message: string) => void;
}

/** Timeout in milliseconds of a command that does not wait. */
const COMMAND_MS = 5000;

/** A worker's commands are retried until they succeed, as BullMQ requires. */
const WAITING: RedisOptions = { maxRetriesPerRequest: null };
const FAILING: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_MS,
};

export class RedisQueues implements Queues {
  readonly place = "redis";
  readonly connection: Redis;
  readonly backend: Queues["backend"] = (name, options, rest) => {
    const prefixed = { ...options, connection: this.connection, prefix: this.#prefix };
    return createRedisBackend(name, prefixed, rest);
  };
  /** Prefix of all its keys. */
  readonly #prefix: string;
  readonly #outages: Outages;

  private constructor(connection: Redis, id: string, outages: Outages) {
    this.connection = connection;
    this.#prefix = `rlkit-${id}`;
    this.#outages = outages;
  }

  /**
   * Opens the connections once Redis answers. Queues created while it is unreachable never recover.
   * @throws Error if Redis could lose jobs with its settings, or rejects the login.
   */
  static async open({ id, url, waits, log }: RedisQueuesOptions): Promise<RedisQueues> {
    const outages = new Outages("the queue's Redis", log);
    const connect = (options: RedisOptions): Redis => {
      const redis = new Redis(url, options);
      redis.on("error", (error) => outages.failed(error));
      redis.on("ready", () => outages.answered());
      return redis;
    };
    const patient = connect(WAITING);
    try {
      await requireSafeRedis(patient);
    } catch (error) {
      patient.disconnect();
      throw error;
    }
    if (waits) return new RedisQueues(patient, id, outages);
    patient.disconnect();
    const failing = connect(FAILING);
    await new Promise<void>((resolve) => void failing.once("ready", () => resolve()));
    return new RedisQueues(failing, id, outages);
  }

  failed(error: unknown): void {
    this.#outages.failed(error);
  }

  answered(): void {
    this.#outages.answered();
  }

  async close(): Promise<void> {
    this.connection.disconnect();
  }
}
