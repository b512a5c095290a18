/** What a Redis must be, so that no job in it is lost. */
import { Redis } from "ioredis";

const OLDEST = 7;

/** The fields that `INFO` tells. */
function fieldsOf(info: string): ReadonlyMap<string, string> {
  const lines = info.split(/\r?\n/).map((line) => line.split(":"));
  return new Map(lines.map(([name = "", ...value]) => [name, value.join(":")]));
}

/**
 * What this Redis is, in words.
 * @throws Error saying what was found and which setting to make; what Redis itself says of a wrong password.
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

/** The same of the Redis at an address. @throws Error also where it does not answer. */
export async function describeRedis(url: string): Promise<string> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  let reason: Error | null = null;
  redis.on("error", (error) => {
    reason ??= error;
  });
  try {
    // Where it fails it says only that the connection is closed; the error that it told of before says why.
    await redis.connect().catch((error: unknown) => {
      throw reason ?? error;
    });
    return await requireSafeRedis(redis);
  } finally {
    redis.disconnect();
  }
}
