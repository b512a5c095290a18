/**
 * `npx tsx bench/platform.ts [--runs N] [--queue redis://...]`: measures a platform on this machine: the time
 * until it serves, until a run's first generation, until another worker takes over from a killed one, and the
 * delivery of events to 200 clients.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { Database } from "../platform/src/database/Database.ts";
import { PrivatePostgres } from "../platform/src/database/PrivatePostgres.ts";
import { readPepper } from "../platform/src/keys/apiKey.ts";
import { KeyStore } from "../platform/src/keys/KeyStore.ts";
import { root } from "../scripts/lib/environment.mjs";
import { RemoteClient } from "../src/remote/index.ts";
import { cartPole } from "../tests/platform/support/cartPole.ts";
import { eventsOf, streamed } from "../tests/platform/support/client.ts";
import { machineNote } from "./harness/machine.ts";
import { reportSamples } from "./harness/record.ts";

const LOCK_MS = 4000;
const CLIENTS = 200;
/** Maximum number of open event streams per key. */
const CLIENTS_OF_KEY = 10;

const { values: options } = parseArgs({
  options: { runs: { type: "string", default: "3" }, queue: { type: "string" } },
});

/** Long enough to kill a worker during the run. */
const manifest = { ...cartPole, training: { ...cartPole.training, max_steps: 4000 } };

class Command {
  readonly process: ChildProcess;
  #output = "";
  #ended = false;
  readonly #waiting: (() => void)[] = [];

  constructor(directory: string, ...args: string[]) {
    const main = path.join(root, "platform/bin/rlkit-platform.mjs");
    const queue = options.queue ? ["--queue", options.queue] : [];
    this.process = spawn(process.execPath, [main, ...args, "--data", directory, ...queue], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text;
        this.#wake();
      });
    this.process.once("close", () => {
      this.#ended = true;
      this.#wake();
    });
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves with the first match in the command's output. */
  async says(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.#output)?.[0];
      if (found !== undefined) return found;
      if (this.#ended) throw new Error(`rlkit-platform ended: ${this.#output}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill(signal);
    await once(this.process, "exit");
  }
}

const TIMES = ["--lock-ms", `${LOCK_MS}`, "--checkpoint-ms", "0"];
const WORKER = ["worker", "--threads", "2", ...TIMES];

/** Measures the seconds that work takes, and prints them at once, as the whole benchmark takes minutes. */
async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  const taken = (performance.now() - start) / 1000;
  console.log(`${taken.toFixed(2)} s`);
  return taken;
}

/** Resolves with the first matching event of a run. */
async function eventOf(
  platform: { readonly url: string },
  key: string,
  run: string,
  fits: (event: string, data: Readonly<Record<string, unknown>>) => boolean,
): Promise<void> {
  for await (const { event, data } of streamed(platform, key, run)) if (fits(event, data)) return;
  throw new Error("the run ended without the event that was waited for");
}

/** 95th percentile of the delivery time of events to many clients, in seconds. */
async function deliveries(
  platform: { readonly url: string },
  keys: readonly string[],
  run: string,
): Promise<number> {
  const late: number[] = [];
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, i) => {
      const opened = Date.now();
      for await (const { id, data } of streamed(platform, keys[i % keys.length] ?? "", run)) {
        const at = z.number().optional().parse(data.at);
        // Events from before the client connected do not count.
        if (id !== null && at !== undefined && at > opened) late.push((Date.now() - at) / 1000);
      }
    }),
  );
  late.sort((a, b) => a - b);
  return late[Math.floor(0.95 * late.length)] ?? Number.NaN;
}

/** Creates as many keys as the clients need. */
async function readers(directory: string): Promise<string[]> {
  const database = new Database({
    url: (await PrivatePostgres.urlOf(directory)) ?? "",
    log: () => undefined,
  });
  const keys = new KeyStore(database, await readPepper(directory));
  const texts: string[] = [];
  for (let i = 0; i < CLIENTS; i += CLIENTS_OF_KEY)
    texts.push(await keys.create({ name: `reader ${i}`, scopes: ["read"] }));
  await database.close();
  return texts;
}

async function sample(directory: string): Promise<readonly number[]> {
  const serve = ["serve", "--port", "0"];
  const commands: Command[] = [];
  const start = (...args: string[]): Command => {
    const command = new Command(directory, ...args);
    commands.push(command);
    return command;
  };
  try {
    let server = start(...serve, "--no-worker");
    const first = await seconds(() => server.says(/The platform is at/));
    const api_key = await server.says(/rk_\S+/);
    await server.end("SIGTERM");
    const again = await seconds(() => {
      server = start(...serve, "--no-worker");
      return server.says(/The platform is at/);
    });
    const url = (await server.says(/http:\S+/)).trim();
    const platform = { url };
    const client = new RemoteClient({ base_url: url, api_key });
    const submit = async () => z.string().parse((await client.submitExperiment({ manifest })).experiment_id);

    const workers = [start(...WORKER), start(...WORKER)];
    for (const worker of workers) await worker.says(/it takes runs/);
    let run = "";
    const generation = await seconds(async () => {
      run = await submit();
      await eventOf(platform, api_key, run, (event) => event === "generation");
    });

    const driver = await Promise.race(
      workers.map(async (worker) => {
        await worker.says(/attempt 1/);
        return worker;
      }),
    );
    const [other] = workers.filter((worker) => worker !== driver);
    await driver.end("SIGKILL");
    const takeover = await seconds(async () => other?.says(/attempt 2/));
    await eventsOf(platform, api_key, run);

    const keys = await readers(directory);
    const late = await deliveries(platform, keys, await submit());
    return [first, again, generation, (1000 * takeover) / LOCK_MS, late];
  } finally {
    // The worker ends first, so that it can return its run to a running server.
    for (const command of commands.toReversed()) await command.end("SIGTERM");
  }
}

console.log(machineNote());
const samples: (readonly number[])[] = [];
for (let i = 0; i < Number(options.runs); i++) {
  const parent = await mkdtemp(path.join(tmpdir(), "rlkit-bench-"));
  // PostgreSQL's user, which may be another one, must be able to traverse the directory.
  await chmod(parent, 0o755);
  samples.push(await sample(path.join(parent, "data")));
  await rm(parent, { recursive: true, force: true });
  console.log(
    samples
      .at(-1)
      ?.map((value) => value.toFixed(2))
      .join(" "),
  );
}
reportSamples({
  row: "platform",
  title: "one machine",
  command: "npx tsx bench/platform.ts",
  figures: [
    { name: "serve until it answers, first time", unit: "s", digits: 2, target: { at_most: 15 } },
    { name: "the same with its database there", unit: "s", digits: 2, target: { at_most: 5 } },
    {
      name: "submission to the first generation, 4 DQN on CartPole",
      unit: "s",
      digits: 2,
      target: { at_most: 3 },
    },
    {
      name: "kill of a worker until another has its run",
      unit: "lock times",
      digits: 2,
      target: { at_most: 2 },
    },
    { name: `event to ${CLIENTS} clients, 95th percentile`, unit: "s", digits: 2, target: { at_most: 1 } },
  ],
  samples,
});
console.log(machineNote());
