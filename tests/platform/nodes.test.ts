/** Runs that several machines train together: whoever is lost, each ends as if one machine had trained it. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { ask } from "./support/client.ts";
import type { WorkerProcess } from "./support/platform.ts";
import { claims, TrainedRuns } from "./support/TrainedRuns.ts";

let runs: TrainedRuns;

beforeAll(async () => {
  runs = await TrainedRuns.start();
});

afterEach(() => runs?.platform.killWorkers());

afterAll(async () => {
  await runs?.platform.close();
});

/** A machine with one core. */
const machine = (key?: string): WorkerProcess => runs.platform.worker(key, 1);

/** Of two machines the one that drives the run, and the other. */
async function roles(run: string, ...machines: readonly [WorkerProcess, WorkerProcess]) {
  const [a, b] = machines;
  const isDriver = ({ log }: WorkerProcess): boolean => log().includes("claimed");
  await expect.poll(() => machines.some(isDriver)).toBe(true);
  const [driver, node] = isDriver(a) ? [a, b] : [b, a];
  await expect.poll(node.log).toContain(`place 2 of run ${run}: taken`);
  return { driver, node };
}

/** Turns that a machine has trained in its places. */
const turnsOf = ({ log }: WorkerProcess): number =>
  [...log().matchAll(/left after (\d+) turns/g)].reduce((sum, [, turns]) => sum + Number(turns), 0);

it("two machines end with the bits of one, and a run's machines are listed", async () => {
  const machines = [machine(), machine(await runs.platform.key("worker"))] as const;
  const run = await runs.submit({ num_nodes: 2 });
  const { node } = await roles(run, ...machines);
  const listed = async () => {
    const { text } = await ask(runs.platform, "GET", `/v1/runs/${run}`, { key: runs.key });
    return z
      .object({ data: z.object({ nodes: z.array(z.object({ cores: z.int() })) }) })
      .parse(JSON.parse(text)).data.nodes;
  };
  await expect.poll(listed).toEqual([{ cores: 1 }, { cores: 1 }]);
  const events = await runs.watched(run);
  await runs.assertWhole(run, events);
  expect(claims(events)).toBe(1);
  await expect.poll(() => turnsOf(node)).toBeGreaterThan(0);
});
