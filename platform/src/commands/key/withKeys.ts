/** Shared code of the `key` commands. */
import { CliError } from "../../../../src/cli/CliError.ts";
import { type CliIo, EXIT } from "../../../../src/cli/CliIo.ts";
import type { CommandLine } from "../../../../src/cli/CommandLine.ts";
import { Database } from "../../database/Database.ts";
import { requireMigrated } from "../../database/migrate.ts";
import { readPepper } from "../../keys/apiKey.ts";
import { KeyStore } from "../../keys/KeyStore.ts";
import { ProjectTable } from "../../projects/ProjectTable.ts";
import { requireDatabase } from "../databaseOption.ts";
import { dataDirectory } from "../dataOption.ts";

interface Opened {
  readonly keys: KeyStore;
  readonly projects: ProjectTable;
}

/** Opens the key store and passes it to `work`. @throws CliError if the database does not answer. */
export async function withKeys(
  line: CommandLine,
  io: CliIo,
  work: (opened: Opened) => Promise<void>,
): Promise<number> {
  const directory = dataDirectory(line);
  const url = await requireDatabase(line, directory);
  const log = (message: string): void => void io.stderr.write(`rlkit-platform: ${message}\n`);
  const database = new Database({ url, log });
  try {
    await database.query("SELECT 1").catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CliError(`the database does not answer (${reason}); start rlkit-platform serve`, EXIT.usage);
    });
    await requireMigrated(database);
    const keys = new KeyStore(database, await readPepper(directory));
    await work({ keys, projects: new ProjectTable(database) });
    return EXIT.ok;
  } finally {
    await database.close();
  }
}
