/**
 * Random kills over several runs. RLKIT_PLATFORM_KILLS, which `npm run soak` sets, is the number of kills;
 * RLKIT_PROPERTY_SEED seeds them.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { Database } from "../../platform/src/database/Database.ts";
import { randomFrom } from "../support/randomFrom.ts";
import { ask, type StreamedEvent } from "./support/client.ts";
import type { WorkerProcess } from "./support/platform.ts";
import { TestRedis } from "./support/redis.ts";
import { TrainedRuns } from "./support/TrainedRuns.ts";

const KILLS = Number(process.env.RLKIT_PLATFORM_KILLS ?? 2);

/** Maximum number of kills per run: a run that loses its worker more often fails. */
const MOST_OF_RUN = 4;

/** Maximum number of events between kills. */
const MOST_EVENTS = 8;

const random = randomFrom(Number(process.env.RLKIT_PROPERTY_SEED ?? 1));
const below = (count: number): number => Math.floor(random() * count);

let redis: TestRedis;
let runs: TrainedRuns;
let database: Database;
let workers: WorkerProcess[];

beforeAll(async () => {
  redis = await TestRedis.start();
  runs = await TrainedRuns.start({ queue_url: redis.url, reconcile_ms: 500 });
  database = new Database({ url: runs.platform.postgres.url, log: () => undefined });
  workers = [runs.platform.worker(), runs.platform.worker()];
});

afterAll(async () => {
  await database?.close();
  await runs?.platform.close();
  await redis?.close();
});

/** Kills a worker and starts another. @param isDriver Whether to kill the one that drives the run. */
async function killWorker(run: string, isDriver: boolean): Promise<void> {
  const [row] = await database.persist(() =>
    database.query("SELECT pid FROM workers JOIN runs ON runs.worker = workers.id WHERE runs.id = $1", [run]),
  );
  const driver = z.object({ pid: z.int() }).safeParse(row).data?.pid;
  const at = workers.findIndex(({ process: { pid } }) => (pid === driver) === isDriver);
  workers[at]?.process.kill("SIGKILL");
  if (at >= 0) workers[at] = runs.platform.worker();
}

const KINDS: readonly (readonly [name: string, kill: (run: string) => Promise<void>])[] = [
  ["driver", (run) => killWorker(run, true)],
  ["worker", (run) => killWorker(run, false)],
  [
    "database",
    async () => {
      const pid = await runs.platform.postgres.pid();
      if (pid !== null) process.kill(pid, "SIGKILL");
    },
  ],
  [
    "Redis",
    async () => {
      await redis.kill();
      await redis.restart();
    },
  ],
];

it(`runs end as if nothing had happened, whatever is killed (${KILLS} times)`, async () => {
  expect(KILLS).toBeGreaterThan(0);
  for (let killed = 0; killed < KILLS; ) {
    const run = await runs.submit();
    const [events, kills]: [StreamedEvent[], string[]] = [[], []];
    let next = 1 + below(MOST_EVENTS);
    for await (const { seq, event, data } of runs.client.watchExperiment(run)) {
      if (seq === null) continue;
      events.push({ id: seq, event, data: { ...data } });
      if (seq < next || killed >= KILLS || kills.length >= MOST_OF_RUN) continue;
      const kind = KINDS[below(KINDS.length)];
      if (!kind) continue;
      const [name, kill] = kind;
      next = seq + 1 + below(MOST_EVENTS);
      killed += 1;
      kills.push(`${name} after event ${seq}`);
      await kill(run);
    }
    console.log(`run ${run}: killed ${kills.join(", ")}`);
    // A database that was killed after the last event may still be starting.
    await expect.poll(async () => (await ask(runs.platform, "GET", "/readyz")).status).toBe(200);
    await runs.assertWhole(run, events);
  }
});
