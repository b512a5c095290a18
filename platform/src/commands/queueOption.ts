/** The `--queue` option: a Redis that keeps jobs instead of the database. */
import { usageError } from "../../../src/cli/CliError.ts";
import type { CommandLine, OptionDefinition } from "../../../src/cli/CommandLine.ts";

/** Environment variable that names the Redis if `--queue` is absent. */
export const QUEUE_VARIABLE = "RLKIT_PLATFORM_QUEUE";

export const QUEUE_OPTION: Readonly<Record<string, OptionDefinition>> = {
  queue: {
    value: "URL",
    help: `Redis (7 or newer, with AOF) that stores jobs, as redis://user:password@host/0, or ${QUEUE_VARIABLE} (default: the database stores them).`,
  },
};

/** The Redis that `--queue` or the environment names; null if neither does. @throws CliError if it is not a Redis URL. */
export function givenQueue(line: CommandLine): string | null {
  const url = line.text("queue") ?? process.env[QUEUE_VARIABLE] ?? null;
  if (url === null || (/^rediss?:\/\//.test(url) && URL.canParse(url))) return url;
  throw usageError(
    "--queue: found another kind of URL, allowed redis://user:password@host:port/number (rediss:// for TLS)",
  );
}
