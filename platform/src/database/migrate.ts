/** Brings the tables to this version. */
import type { Database } from "./Database.ts";
import { MIGRATIONS } from "./migrations/index.ts";

/** Held while tables change, so that two that start at once do not both change them. */
const LOCK = 7_230_184;

/**
 * Applies the migrations that are missing, all or none.
 * @throws Error for tables of a newer version.
 */
export async function migrate(database: Database, migrations: readonly string[] = MIGRATIONS): Promise<void> {
  await database.transaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await query("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)");
    const [row] = await query("SELECT version FROM schema_version");
    const version = Number(row?.version ?? 0);
    requireKnown(version, migrations.length);
    if (version === migrations.length) return;
    for (const sql of migrations.slice(version)) await query(sql);
    await query("DELETE FROM schema_version");
    await query("INSERT INTO schema_version VALUES ($1)", [migrations.length]);
  });
}

/** @throws Error unless the tables are of this version: a worker changes none. */
export async function requireMigrated(database: Database): Promise<void> {
  const [found] = await database.query("SELECT to_regclass('schema_version') IS NOT NULL AS there");
  const [row] = found?.there === true ? await database.query("SELECT version FROM schema_version") : [];
  const version = Number(row?.version ?? 0);
  requireKnown(version, MIGRATIONS.length);
  if (version < MIGRATIONS.length)
    throw new Error(
      `database: its tables have version ${version}, allowed ${MIGRATIONS.length}; start rlkit-platform serve of this version once`,
    );
}

function requireKnown(version: number, known: number): void {
  if (version <= known) return;
  throw new Error(
    `database: its tables have version ${version}, this rlkit-platform knows up to ${known}; upgrade it`,
  );
}
