/** Migrates the tables to this version. */
import type { Database } from "./Database.ts";
import { MIGRATIONS } from "./migrations/index.ts";

/** Advisory lock that is held while tables change, so that only one of two starting servers migrates. */
const LOCK = 7_230_184;

/**
 * Applies all missing migrations in one transaction.
 * @throws Error if the tables have a newer version.
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

/** @throws Error unless the tables have this version: workers do not migrate. */
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
    `database: its tables have version ${version}, this rlkit-platform supports up to ${known}; upgrade it`,
  );
}
