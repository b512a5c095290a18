/** The `--database` option: the database that a command uses. */

import { CliError, usageError } from "../../../src/cli/CliError.ts";
import { EXIT } from "../../../src/cli/CliIo.ts";
import type { CommandLine, OptionDefinition } from "../../../src/cli/CommandLine.ts";
import { PrivatePostgres } from "../database/PrivatePostgres.ts";

/** Environment variable that names the database if `--database` is absent. */
export const DATABASE_VARIABLE = "RLKIT_PLATFORM_DATABASE";

export const DATABASE_OPTION: Readonly<Record<string, OptionDefinition>> = {
  database: {
    value: "URL",
    help: `PostgreSQL (13 or newer) as postgres://user:password@host/name, or ${DATABASE_VARIABLE} (default: the private database in the data directory).`,
  },
};

/** The given database URL, or null if none. @throws CliError if it is not a PostgreSQL URL. */
export function givenDatabase(line: CommandLine): string | null {
  const url = line.text("database") ?? process.env[DATABASE_VARIABLE] ?? null;
  if (url === null || /^postgres(ql)?:\/\//.test(url)) return url;
  throw usageError("--database: found another kind of URL, allowed postgres://user:password@host:port/name");
}

/** URL of the database that `serve` uses with these options. @throws CliError if it does not exist yet. */
export async function requireDatabase(line: CommandLine, directory: string): Promise<string> {
  const url = givenDatabase(line) ?? (await PrivatePostgres.urlOf(directory));
  if (url !== null) return url;
  throw new CliError(
    `--data: ${directory} has no database yet; run rlkit-platform serve once, or give --database`,
    EXIT.usage,
  );
}
