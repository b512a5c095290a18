import { afterEach, describe, expect, it } from "vitest";
import { tinyDqn } from "./support/manifests.ts";
import { TestWorkbench, type WorkbenchOptions } from "./support/workbench.ts";

const open: TestWorkbench[] = [];
async function workbench(options: WorkbenchOptions = {}): Promise<TestWorkbench> {
  const made = await new TestWorkbench(options).open();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const made of open.splice(0)) made.close();
});

describe("a run in the coordinator", () => {
  it("trains to its end and says so", async () => {
    const bench = await workbench();
    const id = await bench.coordinator.start(tinyDqn(), { seed: 3 });
    expect(await bench.nextState(id, "finished", "failed")).toBe("finished");
    const { summary, generations, notices, device, failure } = await bench.coordinator.snapshot(id);
    expect(summary).toMatchObject({
      id,
      name: "DQN CartPole-v1",
      state: "finished",
      algorithm: "DQN",
      environment: "CartPole-v1",
      generation: 4,
      global_step: 3 * 512,
    });
    expect(summary.bytes).toBeGreaterThan(0);
    expect(generations.map(({ generation }) => generation)).toEqual([1, 2, 3, 4]);
    expect(summary.best_fitness).toBe(Math.max(...generations.flatMap(({ fitnesses }) => fitnesses)));
    expect([failure, device, notices]).toEqual([null, null, expect.any(Array)]);
  });
});
