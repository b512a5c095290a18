/** Runs that several machines train together: whoever is lost, each ends as if one machine had trained it. */
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { turnsDirectory } from "../../platform/src/artifacts/turnStores.ts";
import { cartPole } from "./support/cartPole.ts";
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
const machine = (key?: string): WorkerProcess => runs.platform.worker(key, { threads: 1 });

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

it("a machine that joins late learns what the run has gathered, and helps", async () => {
  machine();
  const run = await runs.submit({ num_nodes: 2 });
  await runs.firstOf(run, "checkpoint");
  const late = machine();
  const events = await runs.watched(run);
  await runs.assertWhole(run, events);
  await expect.poll(() => turnsOf(late)).toBeGreaterThan(0);
});

it("turns of a machine that is killed amid them are trained by the others", async () => {
  const machines = [machine(), machine()] as const;
  const run = await runs.submit({ num_nodes: 2 });
  const { node } = await roles(run, ...machines);
  await runs.firstOf(run, "checkpoint");
  node.process.kill("SIGKILL");
  const events = await runs.watched(run);
  await runs.assertWhole(run, events);
  expect(claims(events)).toBe(1);
});

it("a driver that is killed is followed by one of the others, which lets go of its place first", async () => {
  const machines = [machine(), machine(await runs.platform.key("worker"))] as const;
  // More places than machines: those that are left keep nobody from the run itself.
  const run = await runs.submit({ num_nodes: 4 });
  const { driver, node } = await roles(run, ...machines);
  await runs.firstOf(run, "checkpoint");
  driver.process.kill("SIGKILL");
  await once(driver.process, "exit");
  const events = await runs.watched(run);
  await runs.assertWhole(run, events);
  expect(claims(events)).toBe(2);
  expect(node.log()).toContain("claimed (attempt 2)");
});

it("a driver that is frozen past its lock writes nothing more when it wakes up, and its queue goes", async () => {
  const machines = [machine(), machine()] as const;
  const run = await runs.submit({ num_nodes: 2 });
  const { driver } = await roles(run, ...machines);
  await runs.firstOf(run, "checkpoint");
  driver.process.kill("SIGSTOP");
  const events = await runs.watched(run);
  await runs.assertWhole(run, events);
  driver.process.kill("SIGCONT");
  await expect.poll(driver.log).toContain("attempt 1 is lost");
  expect(await runs.watched(run)).toEqual(events);
  await runs.platform.server.reconciler.look();
  expect(await readdir(turnsDirectory(runs.platform.directory))).toEqual([]);
});

it("a database that is killed comes back, and its machines go on", async () => {
  const machines = [machine(), machine()] as const;
  const run = await runs.submit({ num_nodes: 2 });
  await roles(run, ...machines);
  const watching = runs.eventsByClient(run);
  await runs.firstOf(run, "checkpoint");
  process.kill((await runs.platform.postgres.pid()) ?? 0, "SIGKILL");
  await runs.assertWhole(run, await watching);
});

it("a run of several machines is held and let go on by its row", async () => {
  const machines = [machine(), machine()] as const;
  const run = await runs.submit({ num_nodes: 2 });
  const { node } = await roles(run, ...machines);
  await runs.firstOf(run, "checkpoint");
  const act = async (action: string) =>
    (await ask(runs.platform, "POST", `/v1/runs/${run}/${action}`, { key: runs.key })).status;
  expect(await act("pause")).toBe(200);
  await runs.stateOf(run, "paused");
  expect(await act("resume")).toBe(200);
  await runs.client.stopExperiment(run);
  const stopped = await runs.watched(run);
  expect(stopped.at(-1)).toMatchObject({ event: "state", data: { state: "stopped" } });
  await expect.poll(node.log).toContain("left after");
  await runs.client.resumeExperiment(run, cartPole.training.max_steps);
  await runs.assertWhole(run, await runs.watched(run));
});
