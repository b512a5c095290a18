import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { createSecureContext } from "node:tls";
import {
  CliError,
  type Command,
  type CommandLine,
  EXIT,
  reasonOf,
  usageError,
} from "../../../src/hosting/index.ts";
import { PrivatePostgres } from "../database/PrivatePostgres.ts";
import { CPU_RESOURCE, RESOURCE_IDS, type ResourceId } from "../worker/resources.ts";

/** For root this is not the home directory, which the user that PostgreSQL runs as cannot enter. */
const DEFAULT =
  process.getuid?.() === 0
    ? "/var/lib/rlkit-platform"
    : path.join(homedir(), ".local", "share", "rlkit-platform");

export const DATA_OPTION: Command["options"] = {
  data: { value: "DIR", help: `Directory of the database, keys and checkpoints (default: ${DEFAULT}).` },
};

export const dataDirectory = (line: CommandLine): string => path.resolve(line.text("data") ?? DEFAULT);

/** Environment variable that names the database if `--database` is absent. */
export const DATABASE_VARIABLE = "RLKIT_PLATFORM_DATABASE";

export const DATABASE_OPTION: Command["options"] = {
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

/** Environment variable that names the Redis if `--queue` is absent. */
export const QUEUE_VARIABLE = "RLKIT_PLATFORM_QUEUE";

export const QUEUE_OPTION: Command["options"] = {
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

/** A certificate with its chain, and its private key, both as PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export const TLS_OPTIONS: Command["options"] = {
  "tls-cert": {
    value: "FILE",
    help: "TLS certificate as PEM, with its intermediate certificates.",
  },
  "tls-key": { value: "FILE", help: "Key of that certificate (PEM, without a password)." },
};

/**
 * The contents of the files that the options name, or null if neither is given.
 * @throws CliError if only one is given, or if the certificate and the key do not match.
 */
export async function givenTls(line: CommandLine): Promise<TlsFiles | null> {
  const [certFile, keyFile] = [line.text("tls-cert"), line.text("tls-key")];
  if (certFile === null && keyFile === null) return null;
  if (certFile === null) throw usageError("--tls-key: found without a certificate; give --tls-cert too");
  if (keyFile === null) throw usageError("--tls-cert: found without its key; give --tls-key too");
  const tls = { cert: await read("--tls-cert", certFile), key: await read("--tls-key", keyFile) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw usageError(
      `--tls-cert: ${certFile} and ${keyFile} cannot be used together (${reasonOf(error)}); give a certificate and its key as PEM`,
    );
  }
  return tls;
}

async function read(option: string, file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: unknown) => {
    throw usageError(`${option}: ${file} cannot be read (${reasonOf(error)})`);
  });
}

/** Options of a worker, accepted by `worker` and by `serve`, which starts one. */
export const WORKER_OPTIONS: Command["options"] = {
  resource: {
    value: RESOURCE_IDS.join("|"),
    help: `Resource to train on. The worker takes only runs that request it (default: ${CPU_RESOURCE}).`,
  },
  threads: { value: "N", help: "Number of training threads (default: the number of cores)." },
  "fetch-datasets": {
    help: "Lets runs download data sets from the hub (hub_dataset_id with remote: true).",
  },
};

export const TIMING_OPTIONS: Command["options"] = {
  "lock-ms": {
    value: "N",
    help: "Milliseconds without a heartbeat after which a worker loses its run (default: 30000).",
  },
  "checkpoint-ms": {
    value: "N",
    help: "Milliseconds between checkpoints if the run's manifest sets no interval; 0 means every generation (default: 30000).",
  },
};

/** A machine that is merely busy would lose a shorter lock. */
const SHORTEST_LOCK_MS = 1000;

export function workerOptions(line: CommandLine): {
  resource_id: ResourceId;
  cores?: number;
  lock_ms?: number;
  checkpoint_ms?: number;
  fetches: boolean;
} {
  const cores = line.integer("threads", 1);
  const lock_ms = line.integer("lock-ms", SHORTEST_LOCK_MS);
  const checkpoint_ms = line.integer("checkpoint-ms", 0);
  return {
    resource_id: line.choice("resource", RESOURCE_IDS) ?? CPU_RESOURCE,
    ...(cores === null ? {} : { cores }),
    ...(lock_ms === null ? {} : { lock_ms }),
    ...(checkpoint_ms === null ? {} : { checkpoint_ms }),
    fetches: line.flag("fetch-datasets"),
  };
}
