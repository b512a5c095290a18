import { isThisMachine, shownHost } from "../../../src/cli/app/hosts.ts";
import { CliError, usageError } from "../../../src/cli/CliError.ts";
import { type CliIo, EXIT } from "../../../src/cli/CliIo.ts";
import type { Command, CommandLine } from "../../../src/cli/CommandLine.ts";
import { reasonOf } from "../../../src/storage/storageError.ts";
import { PrivatePostgres } from "../database/PrivatePostgres.ts";
import { LocalWorker } from "../server/LocalWorker.ts";
import { PlatformServer } from "../server/PlatformServer.ts";
import { DATABASE_OPTION, givenDatabase } from "./databaseOption.ts";
import { DATA_OPTION, dataDirectory } from "./dataOption.ts";
import { givenQueue, QUEUE_OPTION } from "./queueOption.ts";
import { givenTls, TLS_OPTIONS } from "./tlsOptions.ts";
import { TIMING_OPTIONS, WORKER_OPTIONS } from "./workerOptions.ts";

const DEFAULT_PORT = 8400;
const DEFAULT_HOST = "127.0.0.1";

export const serve: Command = {
  name: "serve",
  summary: "Serves the platform, with a worker beside it; Ctrl-C ends both.",
  operands: [],
  options: {
    ...DATA_OPTION,
    ...DATABASE_OPTION,
    ...QUEUE_OPTION,
    host: {
      value: "ADDRESS",
      help: `Address that is listened at; ${DEFAULT_HOST}, this machine only, unless given. Others need TLS or --behind-proxy.`,
    },
    port: { value: "N", help: `Port, 0 for any free one; ${DEFAULT_PORT} unless given.` },
    ...TLS_OPTIONS,
    "behind-proxy": { help: "A proxy of yours stands before it, which speaks TLS and says who asks." },
    origin: { value: "LIST", help: "Origins whose pages may ask, as https://a.example,https://b.example." },
    "keep-checkpoints": {
      value: "N",
      help: "Checkpoints that stay of each run, the newest; all unless given.",
    },
    "no-worker": { help: "Runs no worker on this machine." },
    ...WORKER_OPTIONS,
    ...TIMING_OPTIONS,
  },
  run: runServe,
};

async function runServe(line: CommandLine, io: CliIo): Promise<number> {
  const directory = dataDirectory(line);
  const host = line.text("host") ?? DEFAULT_HOST;
  const port = line.integer("port", 0) ?? DEFAULT_PORT;
  const behindProxy = line.flag("behind-proxy");
  const tls = await givenTls(line);
  if (!isThisMachine(host) && !behindProxy && !tls)
    throw usageError(
      `--host ${host}: others would reach it without TLS; give --tls-cert and --tls-key, or put a proxy before it that speaks TLS, and give --behind-proxy`,
    );
  const log = (message: string): void => void io.stderr.write(`rlkit-platform: ${message}\n`);
  const stopped = new Promise<void>((resolve) => void io.onInterrupt(resolve));
  const given = givenDatabase(line);
  const queue_url = givenQueue(line);
  const unlock = await io.lock?.(directory);
  const closers: (() => Promise<void>)[] = [async () => unlock?.()];
  try {
    const postgres = given === null ? await PrivatePostgres.open({ directory, log }) : null;
    if (postgres) closers.push(() => postgres.close());
    const database_url = given ?? postgres?.url ?? "";
    const origins = line.text("origin")?.split(",") ?? [];
    const server = await PlatformServer.start({
      directory,
      database_url,
      queue_url,
      host,
      port,
      tls,
      behindProxy,
      origins,
      keep_checkpoints: line.integer("keep-checkpoints", 1),
      log,
    });
    closers.push(() => server.close());
    const first = (await server.keys.list()).length === 0;
    if (!line.flag("no-worker")) {
      const worker = new LocalWorker({
        directory,
        database_url,
        queue_url,
        args: workerArguments(line),
        log,
      });
      closers.push(() => worker.close());
    }
    const address = `${tls ? "https" : "http"}://${shownHost(host)}:${server.port}`;
    io.stdout.write(`The platform is at ${address}  (Ctrl-C ends it)\n`);
    if (first) {
      const key = await server.keys.create({ name: "first", scopes: ["admin"] });
      io.stdout.write(`Its first key, which is shown this once: ${key}\n`);
    }
    await stopped;
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`serve: ${reasonOf(error)}`, EXIT.usage, { cause: error });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** Options that are passed on to the local worker unchanged. */
const workerArguments = (line: CommandLine): string[] =>
  Object.keys({ ...WORKER_OPTIONS, ...TIMING_OPTIONS }).flatMap((name) => {
    const value = line.text(name);
    return value === null ? [] : [`--${name}`, value];
  });
