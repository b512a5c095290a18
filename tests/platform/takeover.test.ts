/** Runs whose worker is lost: another worker continues, and the result is the same. */
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from "vitest";
import type { ArtifactStore } from "../../platform/src/artifacts/ArtifactStore.ts";
import { cartPole, GENERATIONS } from "./support/cartPole.ts";
import { ask } from "./support/client.ts";
import { artifactsOf, full, withSupervisor } from "./support/supervisor.ts";
import { TrainedRuns, warningsIn } from "./support/TrainedRuns.ts";
import { takeoverCases } from "./support/takeoverCases.ts";

let runs: TrainedRuns;

beforeAll(async () => {
  runs = await TrainedRuns.start();
});

afterEach(() => runs?.platform.killWorkers());

afterAll(async () => {
  await runs?.platform.close();
});

takeoverCases(() => runs);

it("a worker that is told to end gives its run back", async () => {
  const { platform } = runs;
  const first = platform.worker();
  const run = await runs.submit();
  await runs.firstOf(run, "checkpoint");
  first.process.kill("SIGTERM");
  await once(first.process, "exit");
  expect(first.log()).toContain("is released");
  platform.worker();
  await runs.assertWhole(run, await runs.watched(run));
});

it("a run is held, let go on, stopped and resumed, and ends as if nothing had happened", async () => {
  // Ten times as long, so that it goes on while it is told to stop.
  const training = { ...cartPole.training, max_steps: 10 * cartPole.training.max_steps };
  const manifest = { ...cartPole, training };
  const longer = await TrainedRuns.start({}, { manifest, generations: 10 * GENERATIONS });
  onTestFinished(() => longer.platform.close());
  const { platform, client, key } = longer;
  platform.worker();
  const run = await longer.submit();
  await longer.firstOf(run, "checkpoint");
  const act = async (action: string) =>
    (await ask(platform, "POST", `/v1/runs/${run}/${action}`, { key })).status;
  expect(await act("pause")).toBe(200);
  await longer.stateOf(run, "paused");
  expect(await act("resume")).toBe(200);
  await client.stopExperiment(run);
  const stopped = await longer.watched(run);
  expect(stopped.at(-1)).toMatchObject({ event: "state", data: { state: "stopped" } });
  await client.resumeExperiment(run, training.max_steps);
  await longer.assertWhole(run, await longer.watched(run));
});

it("a disk that is full holds a checkpoint up, of which the run tells, until there is room", async () => {
  const own = artifactsOf(runs.platform);
  let refusals = 2;
  const artifacts: ArtifactStore = {
    get: (sha256) => own.get(sha256),
    put: async (bytes) => {
      if (refusals-- > 0) throw full();
      return own.put(bytes);
    },
  };
  await withSupervisor(
    runs.platform,
    async () => {
      const run = await runs.submit();
      const events = await runs.watched(run);
      await runs.assertWhole(run, events);
      expect(
        warningsIn(events).filter((message) => message.includes("is waiting for disk space")),
      ).toHaveLength(1);
    },
    artifacts,
  );
});
