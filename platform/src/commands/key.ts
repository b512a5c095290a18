/** The `key` commands. */
import {
  CliError,
  type CliIo,
  type Command,
  type CommandLine,
  EXIT,
  usageError,
} from "../../../src/hosting/index.ts";
import { Database } from "../database/Database.ts";
import { requireMigrated } from "../database/migrate.ts";
import { readPepper, type Scope, scopeSchema } from "../keys/apiKey.ts";
import { type KeyRecord, KeyStore } from "../keys/KeyStore.ts";
import { ProjectTable } from "../projects/ProjectTable.ts";
import { DATA_OPTION, DATABASE_OPTION, dataDirectory, requireDatabase } from "./options.ts";

interface Opened {
  readonly keys: KeyStore;
  readonly projects: ProjectTable;
}

/** Opens the key store and passes it to `work`. @throws CliError if the database does not answer. */
async function withKeys(
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

const DAY_MS = 24 * 3600 * 1000;

export const create: Command = {
  name: "key create",
  summary: "Creates an API key, and prints it only once.",
  operands: [],
  options: {
    name: { value: "TEXT", help: "Description, shown in lists." },
    scopes: {
      value: "LIST",
      help: `Scopes, of ${scopeSchema.options.join(", ")} (default: read,submit).`,
    },
    project: { value: "NAME", help: "The only project that the key may access (default: all)." },
    days: { value: "N", help: "Days until it expires (default: never)." },
    ...DATA_OPTION,
    ...DATABASE_OPTION,
  },
  run: (line, io) =>
    withKeys(line, io, async ({ keys, projects }) => {
      const scopes = scopesOf(line.text("scopes") ?? "read,submit");
      const project = line.text("project");
      const days = line.integer("days", 1);
      if (project !== null && !(await projects.has(project)))
        throw new CliError(`--project: there is no project "${project}"`, EXIT.usage);
      const expires_at = days === null ? null : new Date(Date.now() + days * DAY_MS);
      const key = await keys.create({ name: line.text("name") ?? "", scopes, project, expires_at });
      io.stdout.write(`${key}\n`);
    }),
};

function scopesOf(text: string): Scope[] {
  return text.split(",").map((name) => {
    const scope = scopeSchema.safeParse(name.trim());
    if (scope.success) return scope.data;
    throw usageError(`--scopes: found "${name}", allowed ${scopeSchema.options.join(", ")}`);
  });
}

export const list: Command = {
  name: "key list",
  summary: "Lists the keys with their scopes, project and last use.",
  operands: [],
  options: { ...DATA_OPTION, ...DATABASE_OPTION },
  run: (line, io) =>
    withKeys(line, io, async ({ keys }) => {
      for (const key of await keys.list()) io.stdout.write(`${textOf(key)}\n`);
    }),
};

function textOf({ id, name, scopes, project, revoked_at, expires_at, used_at }: KeyRecord): string {
  const ends = expires_at ? `until ${expires_at.toISOString()}` : "valid";
  const used = used_at ? `used ${used_at.toISOString()}` : "never used";
  const state = revoked_at ? "revoked" : ends;
  return [id, scopes.join(","), project ?? "all projects", state, used, name].join("  ");
}

export const revoke: Command = {
  name: "key revoke",
  summary: "Revokes a key by its ID from the list.",
  operands: ["ID"],
  options: { ...DATA_OPTION, ...DATABASE_OPTION },
  run: (line, io) =>
    withKeys(line, io, async ({ keys }) => {
      const id = line.operand(0);
      if (!(await keys.revoke(id)))
        throw new CliError(
          `key revoke: found "${id}", which is not the ID of a valid key; see rlkit-platform key list`,
          EXIT.usage,
        );
    }),
};
