/** The settings that Redis needs so that no job is lost. */
import { Redis } from "ioredis";

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
export async function requireSafeRedis(redis: Redis): Promise<string> {
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
