import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tinyDqn, tinyPpo } from "./support/manifests.ts";
import { OneThread, TestWorkbench } from "./support/workbench.ts";

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

describe("an expected run", () => {
  /** A workbench that counts the executors of its trials. */
  const counting = () => {
    const counts = { rehearsals: 0, workers: 0 };
    const bench = new TestWorkbench({
      makeRehearsal: () => {
        counts.rehearsals += 1;
        return new OneThread();
      },
      prepareWorker: () => {
        counts.workers += 1;
      },
    });
    return { bench, counts };
  };

  it("is rehearsed once, one after another, and leaves no run", async () => {
    const { bench, counts } = counting();
    await bench.open();
    const { coordinator } = bench;
    await coordinator.expectRun();
    expect(counts).toEqual({ rehearsals: 0, workers: 1 });
    await Promise.all([tinyDqn(), tinyPpo(), tinyDqn()].map((manifest) => coordinator.expectRun(manifest)));
    await coordinator.expectRun(tinyPpo());
    expect(counts.rehearsals).toBe(2);
    expect(await coordinator.listRuns()).toEqual([]);
    bench.close();
  });

  it("ends its rehearsals when it starts, and none begins while it trains", async () => {
    const { bench, counts } = counting();
    await bench.open();
    const { coordinator } = bench;
    const expected = [tinyDqn(), tinyPpo()].map((manifest) => coordinator.expectRun(manifest));
    const id = await coordinator.start(tinyDqn({ max_steps: 1e7 }));
    await Promise.all(expected);
    expect(counts.rehearsals).toBeLessThanOrEqual(1);
    await coordinator.expectRun();
    await coordinator.expectRun(tinyPpo({ pop_size: 3 }));
    expect(counts).toMatchObject({ workers: 0 });
    expect(counts.rehearsals).toBeLessThanOrEqual(1);
    await coordinator.stop(id);
    bench.close();
  });

  it("gives way to a calibration", async () => {
    const { bench, counts } = counting();
    await bench.open();
    const { coordinator } = bench;
    const expected = [tinyDqn(), tinyPpo()].map((manifest) => coordinator.expectRun(manifest));
    expect(await coordinator.calibrate(JSON.stringify(tinyDqn()))).toBeGreaterThan(0);
    await Promise.all(expected);
    // The calibration's own, and at most the one that it ended.
    expect(counts.rehearsals).toBeLessThanOrEqual(2);
    bench.close();
  });

  it("is refused as a start would be", async () => {
    const { bench } = counting();
    await bench.open();
    await expect(bench.coordinator.expectRun({ algorithm: { name: "DQM" } })).rejects.toThrow(
      "algorithm.name",
    );
    bench.close();
  });
});
