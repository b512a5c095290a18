/** What a run on several machines must survive with any queue, which keeps the locks: turns are assigned again. */
import { expect, it } from "vitest";
import { type Machines, turnsOf } from "./Machines.ts";
import { killed } from "./platform.ts";
import type { TrainedRuns } from "./TrainedRuns.ts";

/** @param placeOf Returns the platform's runs and machines; called at the start of the case. */
export function lostNodeCase(
  placeOf: () => { readonly runs: TrainedRuns; readonly machines: Machines },
): void {
  it("turns of a machine that is killed amid them are trained by others, also by one that joins late", async () => {
    const { runs, machines } = placeOf();
    const { run, driver, node } = await machines.begun();
    await runs.firstOf(run, "checkpoint");
    // Paused during their turns.
    await machines.act(run, "pause");
    await killed(node.process);
    const late = (await machines.both()).find(({ process }) => process.pid !== driver.process.pid);
    if (!late) throw new Error("no machine was started");
    await machines.joined(run, late);
    await machines.act(run, "resume");
    await runs.assertWhole(run, await runs.watched(run));
    expect(driver.log()).not.toContain("claimed (attempt 2)");
    await expect.poll(() => turnsOf(late)).toBeGreaterThan(0);
  });
}
