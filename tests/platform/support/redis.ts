/** A test Redis with the settings that the platform requires, which can be killed and restarted. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { freePort } from "../../../platform/src/database/createDatabase.ts";
import { findRedisServer, redisAdvice } from "../../../scripts/lib/redis.mjs";

const HOST = "127.0.0.1";

const SAFE = { appendonly: "yes", "maxmemory-policy": "noeviction" };

export class TestRedis {
  readonly #directory: string;
  readonly #port: number;
  readonly #settings: Readonly<Record<string, string>>;
  #server: ChildProcess;

  private constructor(directory: string, port: number, settings: Readonly<Record<string, string>>) {
    this.#directory = directory;
    this.#port = port;
    this.#settings = settings;
    this.#server = this.#spawn();
  }

  /**
   * @param settings Settings of redis.conf that override the safe ones.
   * @throws Error that says how to install Redis.
   */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<TestRedis> {
    const directory = await mkdtemp(path.join(tmpdir(), "rlkit-redis-"));
    const redis = new TestRedis(directory, await freePort(HOST), { ...SAFE, ...settings });
    await redis.#ready();
    return redis;
  }

  get url(): string {
    return `redis://${HOST}:${this.#port}`;
  }

  /** Deletes all its data. */
  async forget(): Promise<void> {
    const client = new Redis(this.url);
    await client.flushall();
    client.disconnect();
  }

  /** Kills it abruptly, like a power failure. */
  async kill(): Promise<void> {
    this.#server.kill("SIGKILL");
    if (this.#server.exitCode === null && this.#server.signalCode === null) await once(this.#server, "exit");
  }

  /** Restarts it with the data that it had written. */
  async restart(): Promise<void> {
    this.#server = this.#spawn();
    await this.#ready();
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }

  #spawn(): ChildProcess {
    const binary = findRedisServer();
    if (binary === undefined) throw new Error(redisAdvice);
    const settings = { port: `${this.#port}`, bind: HOST, save: "", ...this.#settings };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    return spawn(binary, args, { cwd: this.#directory, stdio: "ignore" });
  }

  async #ready(): Promise<void> {
    const { requirepass: password } = this.#settings;
    const client = new Redis(this.url, { maxRetriesPerRequest: null, ...(password ? { password } : {}) });
    client.on("error", () => undefined);
    await client.ping();
    client.disconnect();
  }
}
