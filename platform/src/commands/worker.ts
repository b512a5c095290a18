import path from "node:path";
import {
  CliError,
  type CliIo,
  type Command,
  type CommandLine,
  EXIT,
  reasonOf,
  requireGpu,
  usageError,
} from "../../../src/hosting/index.ts";
import { nodeFileStore } from "../../../src/storage/node/index.ts";
import { DirectoryArtifacts } from "../artifacts/DirectoryArtifacts.ts";
import { HttpArtifacts, type HttpArtifactsOptions } from "../artifacts/HttpArtifacts.ts";
import { directoryTurns, httpTurns } from "../artifacts/turnStores.ts";
import { Database } from "../database/Database.ts";
import { artifactsDirectory } from "../server/PlatformServer.ts";
import { RESOURCES } from "../worker/resources.ts";
import { Supervisor } from "../worker/Supervisor.ts";
import {
  DATA_OPTION,
  DATABASE_OPTION,
  dataDirectory,
  givenQueue,
  QUEUE_OPTION,
  requireDatabase,
  TIMING_OPTIONS,
  WORKER_OPTIONS,
  workerOptions,
} from "./options.ts";

/** Environment variable with the API key that a worker sends to the server. */
const KEY_VARIABLE = "RLKIT_API_KEY";

/** Milliseconds that a stopping worker waits for an unreachable server. */
const END_MS = 10_000;

/** Milliseconds after which a stopping worker gives up, such as on a database that never answers again. */
const GIVE_UP_MS = 20_000;

export const worker: Command = {
  name: "worker",
  summary: "Trains the platform's runs on this machine, one at a time.",
  operands: [],
  options: {
    ...DATA_OPTION,
    ...DATABASE_OPTION,
    ...QUEUE_OPTION,
    server: {
      value: "URL",
      help: `URL of the platform's server on another machine. Checkpoints are transferred through it with the key in ${KEY_VARIABLE}.`,
    },
    ...WORKER_OPTIONS,
    ...TIMING_OPTIONS,
  },
  run: runWorker,
};

/**
 * Stores of checkpoint artifacts and of turn artifacts: in the data directory that the worker shares with the
 * server, or over HTTP.
 */
function artifactsOf(
  line: CommandLine,
  directory: string,
  rest: Pick<HttpArtifactsOptions, "log" | "signal">,
) {
  const server = line.text("server");
  if (server === null) {
    const artifacts = new DirectoryArtifacts(nodeFileStore(), artifactsDirectory(directory));
    return { artifacts, turns: directoryTurns(directory), reached: async () => undefined };
  }
  if (!/^https?:\/\//.test(server))
    throw usageError(`--server: found "${server}", allowed http(s)://host:port`);
  const key = process.env[KEY_VARIABLE];
  if (!key) throw usageError(`--server: ${KEY_VARIABLE} is not set; it needs a key with the scope worker`);
  const options = { url: server.replace(/\/+$/, ""), key, ...rest };
  const artifacts = new HttpArtifacts(options);
  // Checked at startup: a wrong key found at the first checkpoint would fail that run.
  const reached = (): Promise<void> =>
    artifacts.ready().catch((error: unknown) => {
      throw new CliError(
        `--server: ${reasonOf(error)}; set ${KEY_VARIABLE} to a key with the scope worker`,
        EXIT.usage,
      );
    });
  return { artifacts, turns: httpTurns(options), reached };
}

async function runWorker(line: CommandLine, io: CliIo): Promise<number> {
  const directory = dataDirectory(line);
  const options = workerOptions(line);
  const log = (message: string): void => void io.stderr.write(`rlkit-platform worker: ${message}\n`);
  const ending = new AbortController();
  const { reached, ...stores } = artifactsOf(line, directory, { log, signal: ending.signal });
  const url = await requireDatabase(line, directory);
  const queue_url = givenQueue(line);
  const stopped = new Promise<void>((resolve) => {
    io.onInterrupt(resolve);
    // If the server started this worker: the server has exited, perhaps before this line.
    process.once("disconnect", resolve);
    if (process.send && !process.connected) resolve();
    // The IPC channel alone should not keep the process alive.
    process.channel?.unref();
  });
  const { lock_ms, resource_id } = options;
  // Checked at startup: a missing adapter found at the first run would fail that run.
  if (RESOURCES[resource_id].device === "webgpu")
    await requireGpu().catch((error: unknown) => {
      throw new CliError(`--resource ${resource_id}: ${reasonOf(error)}`, EXIT.usage);
    });
  const database = new Database({
    url,
    log,
    ...(lock_ms === undefined ? {} : { stuck_ms: Math.ceil(lock_ms / 2) }),
  });
  try {
    const starting = reached().then(() =>
      Supervisor.start({
        ...options,
        database,
        queue_url,
        ...stores,
        files: nodeFileStore(path.join(directory, "datasets")),
        log,
      }),
    );
    // It may reject after the race below has ended.
    starting.catch(() => undefined);
    // A worker that still waits for its database can be stopped too.
    const supervisor = await Promise.race([starting, stopped.then(() => null)]);
    if (!supervisor) {
      ending.abort();
      return EXIT.ok;
    }
    log("it takes runs (Ctrl-C returns its run to the queue and stops it)");
    await stopped;
    // Ends with its server, however the server ended. Another worker takes its run over.
    setTimeout(() => {
      log(`its run could not be returned to the queue within ${GIVE_UP_MS / 1000} s; stopping`);
      process.exit(EXIT.failed);
    }, GIVE_UP_MS).unref();
    // The last checkpoint is still uploaded if the server answers in time.
    setTimeout(() => ending.abort(), END_MS).unref();
    await supervisor.close();
    return EXIT.ok;
  } finally {
    await database.close();
  }
}
