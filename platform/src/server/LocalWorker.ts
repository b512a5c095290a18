/**
 * The worker that the server runs in a separate process. It ends with the server, however the server ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { pause } from "../../../src/hosting/index.ts";
import { DATABASE_VARIABLE, QUEUE_VARIABLE } from "../commands/options.ts";

interface LocalWorkerOptions {
  readonly directory: string;
  readonly database_url: string;
  readonly queue_url: string | null;
  /** Additional arguments of the `worker` command. */
  readonly args: readonly string[];
  readonly log: (message: string) => void;
}

/** Milliseconds until a worker that exited is restarted. */
const AGAIN_MS = 1000;

/** Milliseconds after which a worker that does not stop is killed. It gives up by itself before that. */
const KILL_MS = 30_000;

/** Path of the running program, which is also the worker's. */
const ENTRY = process.argv[1] ?? "";

export class LocalWorker {
  readonly #options: LocalWorkerOptions;
  readonly #closing = new AbortController();
  #process: ChildProcess | null = null;
  readonly #running: Promise<void>;

  constructor(options: LocalWorkerOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    const { directory, database_url, queue_url, args, log } = this.#options;
    while (!this.#closing.signal.aborted) {
      const child = spawn(
        process.execPath,
        [...process.execArgv, ENTRY, "worker", "--data", directory, ...args],
        {
          // The URLs contain passwords, which process lists would show if they were arguments.
          env: {
            ...process.env,
            [DATABASE_VARIABLE]: database_url,
            ...(queue_url === null ? {} : { [QUEUE_VARIABLE]: queue_url }),
          },
          stdio: ["ignore", "inherit", "inherit", "ipc"],
        },
      );
      this.#process = child;
      const [code, signal] = await once(child, "exit");
      if (this.#closing.signal.aborted) return;
      log(`the local worker ended (${signal ?? `exit code ${code}`}); restarting it`);
      await pause(AGAIN_MS, this.#closing.signal);
    }
  }

  /**
   * Ends the worker after it has returned its run to the queue, or kills it if it cannot.
   *
   * @param signal SIGKILL if it cannot.
   */
  async close(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.#closing.abort();
    this.#process?.kill(signal);
    const late = setTimeout(() => this.#process?.kill("SIGKILL"), KILL_MS);
    await this.#running;
    clearTimeout(late);
  }
}
