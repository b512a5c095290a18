/** Runs that several machines train together: whoever is lost, each ends as if one machine had trained it. */
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { turnsDirectory } from "../../platform/src/artifacts/turnStores.ts";
import { cartPole } from "./support/cartPole.ts";
import { ask } from "./support/client.ts";
import type { WorkerProcess } from "./support/platform.ts";
import { TrainedRuns } from "./support/TrainedRuns.ts";

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

const act = async (run: string, action: "pause" | "resume"): Promise<number> =>
  (await ask(runs.platform, "POST", `/v1/runs/${run}/${action}`, { key: runs.key })).status;

/** Submits a run, and holds it until two machines are at it: the one that drives it, and another. */
async function begun(
  machines: readonly [WorkerProcess, WorkerProcess],
  { num_nodes = 2, whileHeld = async (_run: string): Promise<void> => {} } = {},
) {
  const run = await runs.submit({ num_nodes });
  expect(await act(run, "pause")).toBe(200);
  const [a, b] = machines;
  const isDriver = ({ log }: WorkerProcess): boolean => log().includes("claimed");
  await expect.poll(() => machines.some(isDriver)).toBe(true);
  const [driver, node] = isDriver(a) ? [a, b] : [b, a];
  await expect.poll(node.log).toMatch(takenIn(run));
  await whileHeld(run);
  expect(await act(run, "resume")).toBe(200);
  return { run, driver, node };
}

const takenIn = (run: string): RegExp => new RegExp(`place \\d of run ${run}: taken`);

/** Turns that a machine has trained in its places. */
const turnsOf = ({ log }: WorkerProcess): number =>
  [...log().matchAll(/left after (\d+) turns/g)].reduce((sum, [, turns]) => sum + Number(turns), 0);

it("two machines end with the bits of one, and a run's machines are listed", async () => {
  const machines = [machine(), machine(await runs.platform.key("worker"))] as const;
  const { run, node } = await begun(machines, {
    whileHeld: async (held) => {
      const { text } = await ask(runs.platform, "GET", `/v1/runs/${held}`, { key: runs.key });
      const answer = z.object({ data: z.object({ nodes: z.array(z.object({ cores: z.int() })) }) });
      expect(answer.parse(JSON.parse(text)).data.nodes).toEqual([{ cores: 1 }, { cores: 1 }]);
    },
  });
  const events = await runs.watched(run);
  await runs.assertWhole(run, events);
  await expect.poll(() => turnsOf(node)).toBeGreaterThan(0);
});

it("a machine that joins late learns what the run has gathered, and helps", async () => {
  machine();
  const run = await runs.submit({ num_nodes: 2 });
  await runs.firstOf(run, "checkpoint");
  expect(await act(run, "pause")).toBe(200);
  const late = machine();
  await expect.poll(late.log).toMatch(takenIn(run));
  expect(await act(run, "resume")).toBe(200);
  const events = await runs.watched(run);
  await runs.assertWhole(run, events);
  await expect.poll(() => turnsOf(late)).toBeGreaterThan(0);
});

it("turns of a machine that is killed amid them are trained by the others", async () => {
  const { run, driver, node } = await begun([machine(), machine()]);
  await runs.firstOf(run, "checkpoint");
  node.process.kill("SIGKILL");
  await runs.assertWhole(run, await runs.watched(run));
  expect(driver.log()).not.toContain("claimed (attempt 2)");
});

it("a driver that is killed is followed by one of the others, which lets go of its place first", async () => {
  const machines = [machine(), machine(await runs.platform.key("worker"))] as const;
  // More places than machines: those that are left keep nobody from the run itself.
  const { run, driver, node } = await begun(machines, { num_nodes: 4 });
  await runs.firstOf(run, "checkpoint");
  driver.process.kill("SIGKILL");
  await once(driver.process, "exit");
  await runs.assertWhole(run, await runs.watched(run));
  expect(node.log()).toContain("claimed (attempt 2)");
});

it("a driver that is frozen past its lock writes nothing more when it wakes up, and its queue goes", async () => {
  const { run, driver } = await begun([machine(), machine()]);
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
  const { run } = await begun([machine(), machine()]);
  const watching = runs.eventsByClient(run);
  await runs.firstOf(run, "checkpoint");
  process.kill((await runs.platform.postgres.pid()) ?? 0, "SIGKILL");
  await runs.assertWhole(run, await watching);
});

it("a run of several machines is stopped, its machines let go, and it goes on when it is resumed", async () => {
  const { run, node } = await begun([machine(), machine()]);
  await runs.firstOf(run, "checkpoint");
  await runs.client.stopExperiment(run);
  const stopped = await runs.watched(run);
  expect(stopped.at(-1)).toMatchObject({ event: "state", data: { state: "stopped" } });
  await expect.poll(node.log).toContain("left after");
  await runs.client.resumeExperiment(run, cartPole.training.max_steps);
  await runs.assertWhole(run, await runs.watched(run));
});
