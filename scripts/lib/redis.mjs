/** Finds the Redis server that tests of the platform start, and installs it where that is one command. */
import { existsSync } from "node:fs";
import path from "node:path";
import { installOnDebian } from "./debian.mjs";

/** What a person can do when no Redis server is found. */
export const redisAdvice =
  "No Redis server was found. Install one (Debian: apt-get install redis-server; macOS: brew install redis),\n" +
  "or set RLKIT_REDIS_SERVER to the path of an executable.";

/**
 * The server's executable: RLKIT_REDIS_SERVER if set, else the system's.
 *
 * @returns {string | undefined}
 */
export function findRedisServer() {
  const chosen = process.env.RLKIT_REDIS_SERVER;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new Error(
      `RLKIT_REDIS_SERVER is "${chosen}", which is no file; set it to a redis-server executable.`,
    );
  }
  const folders = ["/usr/bin", "/usr/local/bin", ...(process.env.PATH ?? "").split(path.delimiter)];
  return folders
    .filter(Boolean)
    .map((folder) => path.join(folder, "redis-server"))
    .find((place) => existsSync(place));
}

/** On Debian, installs the server when there is none. */
export function installRedisServer() {
  if (findRedisServer() === undefined) installOnDebian("redis-server", "No Redis server found");
}
