import { expect, it, vi } from "vitest";
import { Accelerator } from "../../src/training/index.ts";
import { ppo, trained } from "../training/support/tiny.ts";
import { fakeSpawn } from "./inside/support/fakeThread.ts";

const { spawn } = fakeSpawn("die");
vi.mock("../../src/workers/compute/spawn/node.ts", () => ({
  spawnWorker: (...events: Parameters<typeof spawn>) => spawn(...events),
}));
// Registers the worker pool.
await import("../../src/workers/index.ts");

it("tells the run's observer of a lost worker whose member is trained again", async () => {
  const { recorder, fitnesses } = await trained(ppo({ accelerator: new Accelerator({ workers: 2 }) }));
  expect(fitnesses.every(Number.isFinite)).toBe(true);
  expect(recorder.warnings.filter((text) => text.includes("worker"))).toEqual([
    expect.stringMatching(/^The compute worker of member \d was lost \(out of memory\); .+ fresh worker\.$/),
  ]);
});
