/** The platform of one machine: tables, queue, HTTP, and what keeps them in step. */
import path from "node:path";
import { nodeFileStore } from "../../../src/storage/node/index.ts";
import { DirectoryArtifacts } from "../artifacts/DirectoryArtifacts.ts";
import { directoryTurns } from "../artifacts/turnStores.ts";
import type { TlsFiles } from "../commands/tlsOptions.ts";
import { Database } from "../database/Database.ts";
import { migrate } from "../database/migrate.ts";
import { Notifications } from "../database/Notifications.ts";
import { ApiServer } from "../http/ApiServer.ts";
import { RateLimit } from "../http/RateLimit.ts";
import { allRoutes } from "../http/routes/index.ts";
import { EventStreams } from "../http/stream/EventStreams.ts";
import { openQueues } from "../jobs/openQueues.ts";
import { RunQueue } from "../jobs/RunQueue.ts";
import { KeyStore } from "../keys/KeyStore.ts";
import { readPepper } from "../keys/pepper.ts";
import { ProjectTable } from "../projects/ProjectTable.ts";
import { RUNS_CHANNEL } from "../runs/RunRow.ts";
import { RunTable } from "../runs/RunTable.ts";
import { WorkerTable } from "../worker/WorkerTable.ts";
import { ArtifactCollector } from "./ArtifactCollector.ts";
import { metricsText } from "./metricsText.ts";
import { Reconciler } from "./Reconciler.ts";
import { TurnCollector } from "./TurnCollector.ts";

export interface PlatformServerOptions {
  /** Where keys' pepper and artifacts lie. */
  readonly directory: string;
  readonly database_url: string;
  /** Address of the Redis that keeps the jobs; the database does unless given. */
  readonly queue_url?: string | null;
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly origins?: readonly string[];
  readonly behindProxy?: boolean;
  /** By which it speaks TLS; it speaks HTTP without. */
  readonly tls?: TlsFiles | null;
  readonly log: (message: string) => void;
  /** Milliseconds, for limits of rate; the clock unless given. */
  readonly now?: () => number;
  /** Checkpoints that stay of each run, the newest; all unless given. */
  readonly keep_checkpoints?: number | null;
  /** Milliseconds from one look through runs and jobs to the next. */
  readonly reconcile_ms?: number;
}

/** Submissions of one key in an hour. */
const MOST_SUBMISSIONS = 30;

/** Directory of artifacts in a data directory. */
export const artifactsDirectory = (directory: string): string => path.join(directory, "artifacts");

export class PlatformServer {
  readonly keys: KeyStore;
  readonly reconciler: Reconciler;
  readonly collector: ArtifactCollector;
  readonly #close: () => Promise<void>;
  #port = 0;

  private constructor(
    { keys, reconciler, collector }: Pick<PlatformServer, "keys" | "reconciler" | "collector">,
    close: () => Promise<void>,
  ) {
    this.keys = keys;
    this.reconciler = reconciler;
    this.collector = collector;
    this.#close = close;
  }

  get port(): number {
    return this.#port;
  }

  /**
   * Resolves when it serves; waits for a database or a Redis that is away.
   * @throws Error of the system where it cannot listen, and for a Redis that cannot be used.
   */
  static async start(options: PlatformServerOptions): Promise<PlatformServer> {
    const { directory, database_url: url, queue_url = null, host, port, log, now } = options;
    const database = new Database({ url, log });
    await database.ready();
    await migrate(database);
    const queues = await openQueues({ database, queue_url, isServer: true, log });
    const keys = new KeyStore(database, await readPepper(directory));
    const changes = new Notifications(database, RUNS_CHANNEL);
    const runs = new RunTable(database);
    const workers = new WorkerTable(database);
    const queue = new RunQueue(queues);
    const streams = new EventStreams({ database, runs, changes });
    const clock = now ? { now } : {};
    const routes = allRoutes({
      database,
      runs,
      projects: new ProjectTable(database),
      workers,
      queue,
      place: queues.place,
      artifacts: new DirectoryArtifacts(nodeFileStore(), artifactsDirectory(directory)),
      turns: directoryTurns(directory),
      changes,
      streams,
      submissions: new RateLimit({ most: MOST_SUBMISSIONS, window_s: 3600, ...clock }),
      log,
    });
    const api = new ApiServer({
      keys,
      routes,
      isReady: async () => {
        try {
          await database.query("SELECT 1");
          return true;
        } catch {
          return false;
        }
      },
      metrics: () => metricsText(database, workers, streams.open),
      ...(options.origins ? { origins: options.origins } : {}),
      ...(options.behindProxy ? { behindProxy: true } : {}),
      tls: options.tls ?? null,
      log,
      ...clock,
    });
    const reconciler = new Reconciler({
      runs,
      queue,
      place: queues.place,
      workers,
      turns: new TurnCollector({ directory, runs, queues }),
      log,
      ...(options.reconcile_ms === undefined ? {} : { every_ms: options.reconcile_ms }),
    });
    const { keep_checkpoints = null } = options;
    const artifacts = artifactsDirectory(directory);
    const collector = new ArtifactCollector({ database, directory: artifacts, keep_checkpoints, log });
    const server = new PlatformServer({ keys, reconciler, collector }, async () => {
      await collector.close();
      await reconciler.close();
      await api.close();
      await changes.close();
      await queue.close();
      await queues.close();
      await database.close();
    });
    try {
      server.#port = await api.listen(host, port);
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  async close(): Promise<void> {
    await this.#close();
  }
}
