/** Runs on several machines: whichever machine is lost, each run ends as if one machine had trained it. */
import { readdir } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { turnsDirectory } from "../../platform/src/artifacts/turnStores.ts";
import { cartPole } from "./support/cartPole.ts";
import { ask } from "./support/client.ts";
import { lostNodeCase } from "./support/lostNodeCase.ts";
import { Machines, turnsOf } from "./support/Machines.ts";
import { killed } from "./support/platform.ts";
import { TrainedRuns } from "./support/TrainedRuns.ts";

let runs: TrainedRuns;
let machines: Machines;

beforeAll(async () => {
  runs = await TrainedRuns.start();
  machines = new Machines(runs);
});

// A failed case must not leave workers to the next one.
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") await runs?.platform.killWorkers();
});

afterAll(async () => {
  await runs?.platform.close();
});

it("a run's machines are listed and let go when it is stopped, and it ends with the bits of one", async () => {
  const { run, node } = await machines.begun({
    whileHeld: async (held) => {
      const { data } = await ask(runs.platform, "GET", `/v1/runs/${held}`, { key: runs.key });
      const answer = z.object({ nodes: z.array(z.object({ cores: z.int() })) });
      expect(answer.parse(data).nodes).toEqual([{ cores: 1 }, { cores: 1 }]);
    },
  });
  await runs.firstOf(run, "checkpoint");
  await runs.client.stopExperiment(run);
  const stopped = await runs.watched(run);
  expect(stopped.at(-1)).toMatchObject({ event: "state", data: { state: "stopped" } });
  await expect.poll(() => turnsOf(node)).toBeGreaterThan(0);
  await runs.client.resumeExperiment(run, cartPole.training.max_steps);
  await runs.assertWhole(run, await runs.watched(run));
});

lostNodeCase(() => ({ runs, machines }));

it("a driver that is frozen past its lock writes nothing more when it wakes up, and its queue goes", async () => {
  const { run, driver } = await machines.begun();
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

it("a driver that is killed is followed by one of the others, which lets go of its place first", async () => {
  // More places than machines: the free places must not keep a machine from taking the run itself.
  const { run, driver, node } = await machines.begun({ num_nodes: 4 });
  await runs.firstOf(run, "checkpoint");
  await killed(driver.process);
  await runs.assertWhole(run, await runs.watched(run));
  expect(node.log()).toContain("claimed (attempt 2)");
});

it("a database that is killed comes back, and its machines go on", async () => {
  const { run } = await machines.begun();
  const watching = runs.eventsByClient(run);
  await runs.firstOf(run, "checkpoint");
  await runs.platform.killDatabase();
  await runs.assertWhole(run, await watching);
});
