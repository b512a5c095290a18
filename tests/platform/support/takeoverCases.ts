/** Cases that a run must survive with any queue. */
import { once } from "node:events";
import { expect, it } from "vitest";
import { claims, type TrainedRuns } from "./TrainedRuns.ts";

/** @param runsOf Returns the platform's runs; called at the start of a case. */
export function takeoverCases(runsOf: () => TrainedRuns): void {
  it("a worker that is killed is followed by one on another machine, from the last checkpoint", async () => {
    const runs = runsOf();
    const { platform } = runs;
    const first = platform.worker(undefined, { threads: 2 });
    const run = await runs.submit();
    await runs.firstOf(run, "checkpoint");
    first.process.kill("SIGKILL");
    await once(first.process, "exit");
    platform.worker(await platform.key("worker"));
    const events = await runs.watched(run);
    await runs.assertWhole(run, events);
    expect(claims(events)).toBe(2);
  });

  it("a worker that is frozen past its lock writes nothing more when it wakes up", async () => {
    const runs = runsOf();
    const { platform } = runs;
    const frozen = platform.worker();
    const run = await runs.submit();
    await runs.firstOf(run, "checkpoint");
    frozen.process.kill("SIGSTOP");
    platform.worker();
    const events = await runs.watched(run);
    await runs.assertWhole(run, events);
    frozen.process.kill("SIGCONT");
    await expect.poll(frozen.log).toContain("is lost");
    expect(await runs.watched(run)).toEqual(events);
  });

  it("a database that is killed comes back, and the run goes on before the eyes of who watches it", async () => {
    const runs = runsOf();
    const { platform } = runs;
    platform.worker();
    const run = await runs.submit();
    const watching = runs.eventsByClient(run);
    await runs.firstOf(run, "checkpoint");
    process.kill((await platform.postgres.pid()) ?? 0, "SIGKILL");
    await runs.assertWhole(run, await watching);
  });
}
