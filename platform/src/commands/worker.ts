import path from "node:path";
import { CliError, usageError } from "../../../src/cli/CliError.ts";
import { type CliIo, EXIT } from "../../../src/cli/CliIo.ts";
import type { Command, CommandLine } from "../../../src/cli/CommandLine.ts";
import { findAdapter } from "../../../src/kernels/wgsl/openGpu.ts";
import { nodeFileStore } from "../../../src/storage/node/index.ts";
import { reasonOf } from "../../../src/storage/storageError.ts";
import { DirectoryArtifacts } from "../artifacts/DirectoryArtifacts.ts";
import { HttpArtifacts, type HttpArtifactsOptions } from "../artifacts/HttpArtifacts.ts";
import { directoryTurns, httpTurns } from "../artifacts/turnStores.ts";
import { Database } from "../database/Database.ts";
import { artifactsDirectory } from "../server/PlatformServer.ts";
import { RESOURCES } from "../worker/resources.ts";
import { Supervisor } from "../worker/Supervisor.ts";
import { DATABASE_OPTION, requireDatabase } from "./databaseOption.ts";
import { DATA_OPTION, dataDirectory } from "./dataOption.ts";
import { givenQueue, QUEUE_OPTION } from "./queueOption.ts";
import { TIMING_OPTIONS, WORKER_OPTIONS, workerOptions } from "./workerOptions.ts";

/** Names the key that a worker asks the server with. */
const KEY_VARIABLE = "RLKIT_API_KEY";

/** Milliseconds that a worker which is told to end waits for a server that is away. */
const END_MS = 10_000;

export const worker: Command = {
  name: "worker",
  summary: "Trains the platform's runs on this machine, one after another.",
  operands: [],
  options: {
    ...DATA_OPTION,
    ...DATABASE_OPTION,
    ...QUEUE_OPTION,
    server: {
      value: "URL",
      help: `Address of the platform's server, on another machine; checkpoints go through it, with the key in ${KEY_VARIABLE}.`,
    },
    ...WORKER_OPTIONS,
    ...TIMING_OPTIONS,
  },
  run: runWorker,
};

/** The platform's artifacts, and what machines pass to each other: in the data directory that it shares with the server, or over HTTP. */
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
  if (!key) throw usageError(`--server: ${KEY_VARIABLE} is not set; it needs a key that allows worker`);
  const options = { url: server.replace(/\/+$/, ""), key, ...rest };
  const artifacts = new HttpArtifacts(options);
  // One that learnt of a wrong key with its first checkpoint would have failed that run.
  const reached = (): Promise<void> =>
    artifacts.ready().catch((error: unknown) => {
      throw new CliError(
        `--server: ${reasonOf(error)}; give ${KEY_VARIABLE} a key that allows worker`,
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
    // Of a worker that the server started: the server is gone.
    process.once("disconnect", resolve);
    // That alone keeps no process running.
    process.channel?.unref();
  });
  const { lock_ms, resource_id } = options;
  // One that found none with its first run would have failed it.
  if (RESOURCES[resource_id].device === "webgpu")
    await findAdapter().catch((error: unknown) => {
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
    // It may fail when nobody waits for it any more.
    starting.catch(() => undefined);
    // One that waits for its database is told to end too.
    const supervisor = await Promise.race([starting, stopped.then(() => null)]);
    if (!supervisor) {
      ending.abort();
      return EXIT.ok;
    }
    log("it takes runs (Ctrl-C gives its run back and ends it)");
    await stopped;
    // The last checkpoint still goes to a server that answers.
    setTimeout(() => ending.abort(), END_MS).unref();
    await supervisor.close();
    return EXIT.ok;
  } finally {
    await database.close();
  }
}
