/** A private PostgreSQL server in the platform's data directory, which listens on loopback only. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync } from "node:fs";
import { chmod, chown, constants, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { Database } from "./Database.ts";
import { databaseUser, type SystemUser } from "./databaseUser.ts";
import { freePort } from "./freePort.ts";
import { pause } from "./pause.ts";
import { postgresBinaries } from "./postgresBinaries.ts";

const run = promisify(execFile);

const HOST = "127.0.0.1";
const NAME = "rlkit";

/** Milliseconds between polls of a server that starts or stops. */
const LOOK_MS = 50;

/** Milliseconds until a server that exited is restarted. */
const AGAIN_MS = 200;

const settingsSchema = z.object({ port: z.int(), password: z.string() });

type Settings = z.infer<typeof settingsSchema>;

export interface PrivatePostgresOptions {
  /** The platform's data directory. */
  readonly directory: string;
  readonly log: (message: string) => void;
}

export class PrivatePostgres {
  readonly #options: PrivatePostgresOptions;
  readonly #user: SystemUser | null;
  readonly #binaries: string;
  readonly #settings: Settings;
  #starting = false;
  #closing = false;

  private constructor(
    options: PrivatePostgresOptions,
    { user, binaries, settings }: { user: SystemUser | null; binaries: string; settings: Settings },
  ) {
    this.#options = options;
    this.#user = user;
    this.#binaries = binaries;
    this.#settings = settings;
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
    if (!existsSync(file)) await initialise({ data, directory, user, binaries, file });
    const settings = await settingsOf(file);
    const postgres = new PrivatePostgres({ ...options, directory }, { user, binaries, settings });
    if (await postgres.#start()) return postgres;
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
    // After a reboot the ID may belong to another program. Only Linux says to which.
    const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "postgres");
    return name.startsWith("postgres") ? pid : null;
  }

  /** Starts the server unless it is running. @returns true once it answers, false if its process exited. */
  async #start(): Promise<boolean> {
    this.#starting = true;
    const probe = new Database({ url: this.url, log: () => undefined, connections: 1 });
    try {
      const server = (await this.pid()) === null ? this.#spawn() : null;
      while (!(await answers(probe))) {
        if (server && (server.exitCode !== null || server.signalCode !== null)) return false;
        await pause(LOOK_MS);
      }
      return true;
    } finally {
      this.#starting = false;
      await probe.close();
    }
  }

  get #logFile(): string {
    return path.join(this.#options.directory, "postgres.log");
  }

  #spawn(): ChildProcess {
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
    server.on("error", (error) => this.#options.log(`PostgreSQL could not be started: ${error.message}`));
    server.on("exit", () => void this.#revive());
    return server;
  }

  /** Restarts a server that was killed. It recovers everything that was committed. */
  async #revive(): Promise<void> {
    if (this.#closing || this.#starting) return;
    this.#options.log("PostgreSQL ended; restarting it");
    // The killed server's child processes exit one by one, and no new server can start before that.
    do await pause(AGAIN_MS);
    while (!this.#closing && !(await this.#start()));
  }

  /** Stops the server: closes its connections and writes everything to disk. */
  async close(): Promise<void> {
    this.#closing = true;
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
  `postgres://${NAME}:${password}@${HOST}:${port}/postgres`;

async function answers(database: Database): Promise<boolean> {
  try {
    await database.query("SELECT 1");
    return true;
  } catch {
    return false;
  }
}

interface Place {
  readonly data: string;
  readonly directory: string;
  readonly user: SystemUser | null;
  readonly binaries: string;
  readonly file: string;
}

/** Creates an empty database. Its settings are written last, so an interrupted creation starts over. */
async function initialise({ data, directory, user, binaries, file }: Place): Promise<void> {
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { mode: 0o700 });
  const password = randomBytes(24).toString("base64url");
  const passwordFile = path.join(directory, "initial-password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) for (const owned of [data, passwordFile]) await chown(owned, user.uid, user.gid);
  try {
    await run(
      path.join(binaries, "initdb"),
      [
        "-D",
        data,
        "-U",
        NAME,
        "--auth=scram-sha-256",
        `--pwfile=${passwordFile}`,
        "-E",
        "UTF8",
        "--no-locale",
      ],
      { cwd: directory, ...user },
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = (await isReachable(directory))
      ? ""
      : " (PostgreSQL's user must be able to pass through every directory above it)";
    throw new Error(`no database could be created in ${data}${hint}: ${reason}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
  const settings: Settings = { port: await freePort(HOST), password };
  const pending = `${file}.new`;
  await writeFile(pending, JSON.stringify(settings), { mode: 0o600 });
  await rename(pending, file);
}

/** Whether every user may traverse the directory and all its parents. */
async function isReachable(directory: string): Promise<boolean> {
  for (let at = directory; at !== path.dirname(at); at = path.dirname(at)) {
    if (((await stat(at)).mode & constants.S_IXOTH) === 0) return false;
  }
  return true;
}
