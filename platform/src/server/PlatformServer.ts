/** The platform's server: database, queue, HTTP API, and the tasks that keep them consistent. */
import path from "node:path";
import { nodeFileStore } from "../../../src/storage/node/index.ts";
import { DirectoryArtifacts } from "../artifacts/DirectoryArtifacts.ts";
import { directoryTurns } from "../artifacts/turnStores.ts";
import type { TlsFiles } from "../commands/options.ts";
import { Database } from "../database/Database.ts";
import { migrate } from "../database/migrate.ts";
import { Notifications } from "../database/Notifications.ts";
import { DatasetTable } from "../datasets/DatasetTable.ts";
import { ApiServer } from "../http/ApiServer.ts";
import { RateLimit } from "../http/RateLimit.ts";
import { allRoutes } from "../http/routes/index.ts";
import { EventStreams } from "../http/stream/EventStreams.ts";
import { openQueues } from "../jobs/openQueues.ts";
import { RunQueue } from "../jobs/RunQueue.ts";
import { readPepper } from "../keys/apiKey.ts";
import { KeyStore } from "../keys/KeyStore.ts";
import { PlayTable } from "../plays/PlayTable.ts";
import { ProjectTable } from "../projects/ProjectTable.ts";
import { RUNS_CHANNEL } from "../runs/RunRow.ts";
import { RunTable } from "../runs/RunTable.ts";
import { WorkerTable } from "../worker/WorkerTable.ts";
import { ArtifactCollector } from "./ArtifactCollector.ts";
import { metricsText } from "./metricsText.ts";
import { Reconciler } from "./Reconciler.ts";
import { TurnCollector } from "./TurnCollector.ts";

export interface PlatformServerOptions {
  /** Directory of the keys' pepper and the artifacts. */
  readonly directory: string;
  readonly database_url: string;
  /** URL of the Redis that keeps the jobs. Default: the database keeps them. */
  readonly queue_url?: string | null;
  readonly host: string;
  /** Port; 0 picks any free port. */
  readonly port: number;
  readonly origins?: readonly string[];
  /** Number of proxies in front of the server (default: 0). */
  readonly trusted_proxies?: number;
  /** Certificate and key for TLS. Plain HTTP if absent or null. */
  readonly tls?: TlsFiles | null;
  readonly log: (message: string) => void;
  /** Current time in milliseconds, for rate limits. Default: the system clock. */
  readonly now?: () => number;
  /** Whether runs may download data sets from the hub (default: false). */
  readonly fetches?: boolean;
  /** Number of newest checkpoints to keep per run. Default: all. */
  readonly keep_checkpoints?: number | null;
  /** Milliseconds between reconciliations of runs and jobs. */
  readonly reconcile_ms?: number;
}

/** Maximum number of submissions per key and hour. */
const MOST_SUBMISSIONS = 30;

/** The artifact directory in a data directory. */
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
   * Resolves when it serves requests. Waits while the database or Redis is unreachable.
   * @throws the system's error if it cannot listen; Error if Redis cannot be used.
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
    const plays = new PlayTable(database);
    const routes = allRoutes({
      database,
      runs,
      projects: new ProjectTable(database),
      workers,
      datasets: new DatasetTable(database),
      plays,
      queue,
      place: queues.place,
      artifacts: new DirectoryArtifacts(nodeFileStore(), artifactsDirectory(directory)),
      turns: directoryTurns(directory),
      changes,
      streams,
      submissions: new RateLimit({ most: MOST_SUBMISSIONS, window_s: 3600, ...clock }),
      fetches: options.fetches ?? false,
      log,
    });
    const api = new ApiServer({
      keys,
      routes,
      plays,
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
      trusted_proxies: options.trusted_proxies ?? 0,
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
