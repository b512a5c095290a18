import {
  CliError,
  type CliIo,
  type Command,
  type CommandLine,
  EXIT,
  isThisMachine,
  pause,
  reasonOf,
  shownHost,
  usageError,
} from "../../../src/hosting/index.ts";
import { PrivatePostgres } from "../database/PrivatePostgres.ts";
import { LocalWorker } from "../server/LocalWorker.ts";
import { PlatformServer } from "../server/PlatformServer.ts";
import {
  DATA_OPTION,
  DATABASE_OPTION,
  dataDirectory,
  givenDatabase,
  givenQueue,
  givenTls,
  QUEUE_OPTION,
  TIMING_OPTIONS,
  TLS_OPTIONS,
  WORKER_OPTIONS,
} from "./options.ts";

/** Milliseconds that stopping waits for the server. */
const CLOSE_MS = 10_000;
/** Milliseconds that the process waits for what is still open at its end. */
const EXIT_MS = 1000;

const DEFAULT_PORT = 8400;
const DEFAULT_HOST = "127.0.0.1";

export const serve: Command = {
  name: "serve",
  summary: "Runs the platform's server and a local worker. Ctrl-C stops both.",
  operands: [],
  options: {
    ...DATA_OPTION,
    ...DATABASE_OPTION,
    ...QUEUE_OPTION,
    host: {
      value: "ADDRESS",
      help: `Address to listen on (default: ${DEFAULT_HOST}, this machine only). Other addresses need TLS or --behind-proxy.`,
    },
    port: { value: "N", help: `Port; 0 picks a free one (default: ${DEFAULT_PORT}).` },
    ...TLS_OPTIONS,
    "behind-proxy": {
      help: "The server is behind your own proxy, which terminates TLS and appends client addresses to X-Forwarded-For.",
    },
    "trusted-proxies": {
      value: "N",
      help: "Number of your own proxies between clients and the server (default: 1 with --behind-proxy, else 0).",
    },
    origin: { value: "LIST", help: "Allowed CORS origins, as https://a.example,https://b.example." },
    "keep-checkpoints": {
      value: "N",
      help: "Number of newest checkpoints to keep per run (default: all).",
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
  const trusted_proxies = line.integer("trusted-proxies", 0) ?? (line.flag("behind-proxy") ? 1 : 0);
  const tls = await givenTls(line);
  if (!isThisMachine(host) && trusted_proxies === 0 && !tls)
    throw usageError(
      `--host ${host}: other machines could connect without TLS; give --tls-cert and --tls-key, or use a proxy that terminates TLS and give --behind-proxy`,
    );
  const log = (message: string): void => void io.stderr.write(`rlkit-platform: ${message}\n`);
  const stopped = new Promise<void>((resolve) => void io.onInterrupt(resolve));
  const given = givenDatabase(line);
  const queue_url = givenQueue(line);
  const unlock = await io.lock?.(directory, { command: "rlkit-platform serve", option: "--data" });
  const closers: (() => Promise<void>)[] = [async () => unlock?.()];
  try {
    const postgres = given === null ? await PrivatePostgres.open({ directory, log }) : null;
    if (postgres) closers.push(() => postgres.close());
    const database_url = given ?? postgres?.url ?? "";
    const origins = line.text("origin")?.split(",") ?? [];
    let isLost = false;
    postgres?.lost.catch(() => {
      isLost = true;
    });
    const unlessLost = <T>(work: Promise<T>): Promise<T> =>
      postgres ? Promise.race([work, postgres.lost]) : work;
    const starting = PlatformServer.start({
      directory,
      database_url,
      queue_url,
      host,
      port,
      tls,
      trusted_proxies,
      fetches: line.flag("fetch-datasets"),
      origins,
      keep_checkpoints: line.integer("keep-checkpoints", 1),
      log,
    });
    const server = await unlessLost(starting);
    closers.push(() => inTime(server.close(), log));
    const first = (await server.keys.list()).length === 0;
    if (!line.flag("no-worker")) {
      const worker = new LocalWorker({
        directory,
        database_url,
        queue_url,
        args: workerArguments(line),
        log,
      });
      // Without a database it cannot return its run, and would wait for one.
      closers.push(() => worker.close(isLost ? "SIGKILL" : "SIGTERM"));
    }
    const address = `${tls ? "https" : "http"}://${shownHost(host)}:${server.port}`;
    io.stdout.write(`The platform is at ${address}  (Ctrl-C stops it)\n`);
    if (first) {
      const key = await server.keys.create({ name: "first", scopes: ["admin"] });
      io.stdout.write(`Its first API key, which is shown only once: ${key}\n`);
    }
    await unlessLost(stopped);
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`serve: ${reasonOf(error)}`, EXIT.usage, { cause: error });
  } finally {
    for (const close of closers.toReversed()) await close();
    // A connection that could not be closed would keep the process alive.
    setTimeout(() => process.exit(), EXIT_MS).unref();
  }
}

/** Waits for the server's end, but not for ever: a connection to a database that is gone may not close. */
async function inTime(closed: Promise<void>, log: (message: string) => void): Promise<void> {
  const late = new AbortController();
  const limit = pause(CLOSE_MS, late.signal).then(() => `it took more than ${CLOSE_MS / 1000} s`);
  const reason = await Promise.race([closed.then(() => null, reasonOf), limit]);
  late.abort();
  if (reason !== null) log(`the server was not closed cleanly: ${reason}`);
}

/** Options that are passed on to the local worker unchanged. */
const workerArguments = (line: CommandLine): string[] =>
  Object.entries({ ...WORKER_OPTIONS, ...TIMING_OPTIONS }).flatMap(([name, { value: takesValue }]) => {
    if (takesValue === undefined) return line.flag(name) ? [`--${name}`] : [];
    const value = line.text(name);
    return value === null ? [] : [`--${name}`, value];
  });
