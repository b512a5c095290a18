import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tinyDqn, tinyPpo } from "./support/manifests.ts";
import { TestWorkbench } from "./support/workbench.ts";

describe("a calibration", () => {
  const bench = new TestWorkbench({ cores: 3 });
  const { coordinator } = bench;
  beforeAll(() => bench.open());
  afterAll(() => bench.close());

  it.each([
    ["off policy", tinyDqn()],
    ["on policy", tinyPpo()],
  ])("tells steps a second, %s, and leaves no run", async (_, manifest) => {
    expect(await coordinator.calibrate(JSON.stringify(manifest))).toBeGreaterThan(0);
    expect(await coordinator.listRuns()).toEqual([]);
  });

  it("is ended by the next one, and by a start", async () => {
    const text = JSON.stringify(tinyDqn());
    const [first, second] = await Promise.all([coordinator.calibrate(text), coordinator.calibrate(text)]);
    expect(first).toBeNull();
    expect(second).toBeGreaterThan(0);
    const third = coordinator.calibrate(text);
    const id = await coordinator.start(tinyDqn({ max_steps: 1e7 }));
    expect(await third).toBeNull();
    expect(await coordinator.calibrate(text)).toBeNull();
    await coordinator.stop(id);
  });

  it("says what is wrong with a manifest that cannot start", async () => {
    await expect(coordinator.calibrate("algorithm: {name: DQM}")).rejects.toThrow("algorithm.name");
  });
});
