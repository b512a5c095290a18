/** A private PostgreSQL server in the platform's data directory, which listens on loopback only. */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { chmod, mkdir, readFile, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { pause } from "../../../src/hosting/index.ts";
import { createDatabase, HOST, type Settings, settingsSchema, USER } from "./createDatabase.ts";
import { Database } from "./Database.ts";
import { databaseUser, type SystemUser } from "./databaseUser.ts";
import { postgresBinaries } from "./postgresBinaries.ts";

/** Milliseconds between polls of a server that starts or stops. */
const LOOK_MS = 50;

/** Milliseconds until a server that exited is restarted. */
const AGAIN_MS = 200;

/** Milliseconds between polls of a running server that another process started. */
const WATCH_MS = 500;

/** Attempts to restart a server that ended. The first fail while its child processes exit. */
const MOST_STARTS = 30;

interface PrivatePostgresOptions {
  /** The platform's data directory. */
  readonly directory: string;
  readonly log: (message: string) => void;
}

export class PrivatePostgres {
  readonly #options: PrivatePostgresOptions;
  readonly #user: SystemUser | null;
  readonly #binaries: string;
  readonly #settings: Settings;
  #closing = false;
  #reviving: Promise<void> = Promise.resolve();
  #lose: (reason: Error) => void = () => undefined;
  /** Rejects when the server has ended and could not be restarted. */
  readonly lost: Promise<never>;

  private constructor(
    options: PrivatePostgresOptions,
    { user, binaries, settings }: { user: SystemUser | null; binaries: string; settings: Settings },
  ) {
    this.#options = options;
    this.#user = user;
    this.#binaries = binaries;
    this.#settings = settings;
    this.lost = new Promise((_, reject) => {
      this.#lose = reject;
    });
    // The caller may not be waiting for it.
    this.lost.catch(() => undefined);
  }

  /** Path of a directory's server settings. The file exists once `open` has created the database. */
  static settingsFile(directory: string): string {
    return path.join(directory, "database.json");
  }

  /** URL of a directory's server, or null if no database has been created. */
  static async urlOf(directory: string): Promise<string | null> {
    const file = PrivatePostgres.settingsFile(directory);
    if (!existsSync(file)) return null;
    return urlOf(await settingsOf(file));
  }

  /**
   * Creates the database if it does not exist, and starts its server unless it is already running.
   * @throws Error if PostgreSQL is missing or cannot use the directory.
   */
  static async open(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
    const directory = path.resolve(options.directory);
    const data = dataOf(directory);
    const user = databaseUser();
    await mkdir(directory, { recursive: true });
    // PostgreSQL's user must be able to traverse the directory. The platform's own files in it are readable
    // only by their owner.
    if (user) await chmod(directory, 0o711);
    const binaries = await postgresBinaries(data);
    const file = PrivatePostgres.settingsFile(directory);
    if (!existsSync(file)) await createDatabase({ data, directory, user, binaries, file });
    const settings = await settingsOf(file);
    const postgres = new PrivatePostgres({ ...options, directory }, { user, binaries, settings });
    // A server of an earlier process may be about to end.
    if ((await postgres.#start()) || (await postgres.#start())) return postgres;
    throw new Error(`PostgreSQL did not start; its log is ${postgres.#logFile}`);
  }

  get url(): string {
    return urlOf(this.#settings);
  }

  get #data(): string {
    return dataOf(this.#options.directory);
  }

  /** Process ID of the server, or null if it is not running. */
  pid(): Promise<number | null> {
    return PrivatePostgres.pidOf(this.#options.directory);
  }

  /** Process ID of a directory's server, or null if it is not running. */
  static async pidOf(directory: string): Promise<number | null> {
    const file = path.join(dataOf(directory), "postmaster.pid");
    const text = await readFile(file, "utf8").catch(() => "");
    const pid = Number(text.split("\n")[0]);
    if (!Number.isInteger(pid) || pid <= 0) return null;
    try {
      process.kill(pid, 0);
    } catch {
      return null;
    }
    // After a reboot the ID may belong to another program, or to another PostgreSQL. Only Linux says to which.
    const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "postgres");
    if (!name.startsWith("postgres")) return null;
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    return place === null || place === (await realpath(dataOf(directory))) ? pid : null;
  }

  /** Starts the server unless it is running, and watches it. @returns false if it ends before it answers. */
  async #start(): Promise<boolean> {
    const probe = new Database({ url: this.url, log: () => undefined, connections: 1 });
    try {
      const pid = await this.pid();
      let isGone = false;
      const gone = (pid === null ? this.#spawn() : this.#gone(pid)).then(() => {
        isGone = true;
      });
      while (!(await answers(probe))) {
        if (isGone) return false;
        await pause(LOOK_MS);
      }
      void gone.then(() => {
        this.#reviving = this.#revive();
      });
      return true;
    } finally {
      await probe.close();
    }
  }

  /** Resolves when a server that another process started has ended. */
  async #gone(pid: number): Promise<void> {
    while (!this.#closing && (await this.pid()) === pid) await pause(WATCH_MS);
  }

  get #logFile(): string {
    return path.join(this.#options.directory, "postgres.log");
  }

  /** @returns a promise that resolves when the server has ended. */
  #spawn(): Promise<void> {
    const output = openSync(this.#logFile, "a");
    const settings = { port: this.#settings.port, listen_addresses: HOST, unix_socket_directories: "" };
    const server = spawn(
      path.join(this.#binaries, "postgres"),
      ["-D", this.#data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      // Detached, so that Ctrl-C in the terminal reaches only the platform, which stops its database last.
      { stdio: ["ignore", output, output], detached: true, cwd: this.#data, ...this.#user },
    );
    closeSync(output);
    server.unref();
    return new Promise((resolve) => {
      server.once("exit", () => resolve());
      server.once("error", (error) => {
        this.#options.log(`PostgreSQL could not be started: ${error.message}`);
        resolve();
      });
    });
  }

  /** Restarts a server that was killed. It recovers everything that was committed. */
  async #revive(): Promise<void> {
    if (this.#closing) return;
    this.#options.log("PostgreSQL ended; restarting it");
    // The killed server's child processes exit one by one, and no new server can start before that.
    for (let starts = 0; starts < MOST_STARTS; starts++) {
      await pause(AGAIN_MS);
      if (this.#closing || (await this.#start().catch(() => false))) return;
    }
    this.#lose(new Error(`PostgreSQL ended and could not be started again; its log is ${this.#logFile}`));
  }

  /** Stops the server: closes its connections and writes everything to disk. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#reviving;
    const pid = await this.pid();
    if (pid === null) return;
    process.kill(pid, "SIGINT");
    while ((await this.pid()) !== null) await pause(LOOK_MS);
  }
}

const dataOf = (directory: string): string => path.join(directory, "postgres");

const settingsOf = async (file: string): Promise<Settings> =>
  settingsSchema.parse(JSON.parse(await readFile(file, "utf8")));

const urlOf = ({ port, password }: Settings): string =>
  `postgres://${USER}:${password}@${HOST}:${port}/postgres`;

async function answers(database: Database): Promise<boolean> {
  try {
    await database.query("SELECT 1");
    return true;
  } catch {
    return false;
  }
}
