/** A test platform: a database, the server in this process, and workers in separate processes. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DATABASE_VARIABLE, QUEUE_VARIABLE } from "../../../platform/src/commands/options.ts";
import { PrivatePostgres } from "../../../platform/src/database/PrivatePostgres.ts";
import type { Scope } from "../../../platform/src/keys/apiKey.ts";
import { PlatformServer, type PlatformServerOptions } from "../../../platform/src/server/PlatformServer.ts";
import { pause } from "../../../src/http/waiting.ts";
import { bundled } from "../../support/compiled.ts";
import { copyDatabase } from "./emptyDatabase.ts";

/** A worker in a separate process. */
export interface WorkerProcess {
  readonly process: ChildProcess;
  /** Returns its log so far. */
  readonly log: () => string;
}

/** Shorter than in production, so that takeovers happen soon. */
export const LOCK_MS = 4000;

/** Milliseconds for which a killed database stays down: most of a lock's duration. */
const AWAY_MS = 3000;

/** Kills a process abruptly, like a power failure. */
export async function killed(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

export class TestPlatform {
  readonly directory: string;
  readonly postgres: PrivatePostgres;
  server: PlatformServer;
  readonly #options: Partial<PlatformServerOptions>;
  readonly #workers: ChildProcess[] = [];

  private constructor(
    directory: string,
    postgres: PrivatePostgres,
    server: PlatformServer,
    options: Partial<PlatformServerOptions>,
  ) {
    this.directory = directory;
    this.postgres = postgres;
    this.server = server;
    this.#options = options;
  }

  static async start(options: Partial<PlatformServerOptions> = {}): Promise<TestPlatform> {
    const parent = await mkdtemp(path.join(tmpdir(), "rlkit-platform-"));
    // PostgreSQL's user, which may be another one, must be able to traverse the directory.
    await chmod(parent, 0o755);
    const directory = path.join(parent, "data");
    await copyDatabase(directory);
    const log = (): void => undefined;
    const postgres = await PrivatePostgres.open({ directory, log });
    const place = { directory, database_url: postgres.url, host: "127.0.0.1", port: 0, log };
    const server = await PlatformServer.start({ ...place, ...options }).catch(async (error: unknown) => {
      await postgres.close();
      throw error;
    });
    return new TestPlatform(directory, postgres, server, options);
  }

  /** Stops the server. @returns a function that starts a new one at the same address. */
  async leave(): Promise<() => Promise<void>> {
    const { port } = this.server;
    await this.server.close();
    return async () => {
      this.server = await PlatformServer.start({
        directory: this.directory,
        database_url: this.postgres.url,
        host: "127.0.0.1",
        log: () => undefined,
        ...this.#options,
        port,
      });
    };
  }

  get queue_url(): string | null {
    return this.#options.queue_url ?? null;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  key(...scopes: Scope[]): Promise<string> {
    return this.server.keys.create({ name: "test", scopes });
  }

  /**
   * Starts a worker that writes a checkpoint of every generation. Its threads are few, because each loads the library.
   * @param key API key with which a worker "on another machine" requests artifacts from the server.
   */
  worker(key?: string, { threads = 1, lock_ms = LOCK_MS, resource = "cpu" } = {}): WorkerProcess {
    const place =
      key === undefined
        ? ["--data", this.directory]
        : ["--server", this.url, "--data", path.join(path.dirname(this.directory), "elsewhere")];
    const child = spawn(
      process.execPath,
      [
        bundled("platform/src/main.ts"),
        "worker",
        ...place,
        ...["--resource", resource, "--threads", `${threads}`],
        ...["--lock-ms", `${lock_ms}`, "--checkpoint-ms", "0"],
      ],
      {
        env: {
          ...process.env,
          [DATABASE_VARIABLE]: this.postgres.url,
          ...(this.queue_url === null ? {} : { [QUEUE_VARIABLE]: this.queue_url }),
          ...(key === undefined ? {} : { RLKIT_API_KEY: key }),
        },
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      },
    );
    this.#workers.push(child);
    let log = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    return { process: child, log: () => log };
  }

  /** Kills the database, which cannot start again for some seconds. */
  async killDatabase(): Promise<void> {
    const version = path.join(this.directory, "postgres/PG_VERSION");
    await rename(version, `${version}.away`);
    const pid = await this.postgres.pid();
    if (pid !== null) process.kill(pid, "SIGKILL");
    await pause(AWAY_MS);
    await rename(`${version}.away`, version);
  }

  /** Kills all workers, including suspended ones, and waits until they have exited. */
  async killWorkers(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map(killed));
  }

  async close(): Promise<void> {
    await this.killWorkers();
    await this.server.close();
    await this.postgres.close();
    await rm(path.dirname(this.directory), { recursive: true, force: true });
  }
}
