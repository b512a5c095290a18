import { afterEach, describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import type { GenerationReport } from "../../src/tracking/observer.ts";
import type { SteeringAction } from "../../src/workers/protocol.ts";
import { tinyDqn, tinyPpo } from "./support/manifests.ts";
import { mortalFiles } from "./support/mortalFiles.ts";
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

const SEED = 3;
/** A frozen clock, so that only the first generation is committed while the run trains. */
const now = () => 0;

/** The part of a report that must not depend on how often a run was killed. */
const bitsOf = ({ generation, members, lineage, global_step }: GenerationReport) => ({
  generation,
  global_step,
  lineage,
  members: members.map((member) => ({
    ...member,
    milliseconds: null,
    worker: null,
    started: null,
    network: null,
  })),
});

describe.each([
  ["DQN", tinyDqn({ max_steps: 100_000_000 })],
  ["PPO", tinyPpo({ max_steps: 100_000_000 })],
])("a steered run of %s", (_, manifest) => {
  it("killed between the steering and its checkpoint goes on to the bits of one that was not", async () => {
    const disk = memoryFileStore();
    const files = mortalFiles(disk);
    const first = await workbench({ files, now });
    const { coordinator } = first;
    const id = await coordinator.start(manifest, { seed: SEED });
    await first.until((e) => e.kind === "checkpoint");
    await first.untilGeneration(id, 2);
    await coordinator.pause(id);
    const { latest, manifest: stored } = await coordinator.snapshot(id);
    // The elite keeps its identity.
    const index = latest?.members[latest.elite]?.index ?? 0;
    await coordinator.steer(id, { kind: "set", index: null, hyperparameter: "lr", value: 0.005 });
    await coordinator.steer(id, { kind: "protect", index, on: true });
    await coordinator.steer(id, { kind: "mutate", index, what: "parameters" });
    await coordinator.steer(id, { kind: "set", index: null, hyperparameter: "lr", value: 0.006 });
    await coordinator.steer(id, { kind: "cancel", entry: 3 });
    const steered = await coordinator.steering(id);
    const acts = steered[0]?.generation ?? 0;
    await coordinator.resume(id);
    await first.untilGeneration(id, acts + 2);
    files.kill();
    const told = first.events.flatMap((e) => (e.kind === "generation" ? [e.report] : [])).slice(0, acts + 2);

    const second = await workbench({ files: disk });
    expect(await second.coordinator.steering(id)).toEqual(steered);
    await second.coordinator.resume(id);
    await second.untilGeneration(id, acts + 2);
    await second.coordinator.stop(id);
    const again = await second.coordinator.generations(id, 1, acts + 2);
    expect(again.map(bitsOf)).toEqual(told.map(bitsOf));
    const [before, after] = again.slice(acts - 1);
    expect(before?.members.some(({ hyperparameters }) => hyperparameters.lr === 0.005)).toBe(false);
    expect(after?.members.map(({ hyperparameters }) => hyperparameters.lr)).toEqual([0.005, 0.005, 0.005]);
    expect(after?.members.find((member) => member.index === index)?.mutation).toBe("param");
    expect((await second.coordinator.snapshot(id)).manifest).toEqual(stored);
  });
});

describe("steering", () => {
  it("acts at the end of the generation under way, and is told", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await coordinator.start(tinyDqn({ max_steps: 100_000_000 }), { seed: SEED });
    await bench.untilGeneration(id, 1);
    await coordinator.pause(id);
    const action: SteeringAction = { kind: "set", index: null, hyperparameter: "lr", value: 0.007 };
    await coordinator.steer(id, action);
    const event = await bench.until((e) => e.kind === "steering");
    const generation = event.kind === "steering" ? event.generation : 0;
    expect(await coordinator.steering(id)).toEqual([{ generation, action }]);
    await coordinator.resume(id);
    await bench.untilGeneration(id, generation + 1);
    await coordinator.stop(id);
    const [before, after] = await coordinator.generations(id, generation, generation + 1);
    expect(before?.members.some(({ hyperparameters }) => hyperparameters.lr === 0.007)).toBe(false);
    expect(after?.members.map(({ hyperparameters }) => hyperparameters.lr)).toEqual([0.007, 0.007, 0.007]);
    expect(after?.lineage.every(({ hyperparameters }) => hyperparameters.lr?.to === 0.007)).toBe(true);
    await expect(coordinator.steer(id, action)).rejects.toThrow("not training");
    await coordinator.resume(id);
    await expect(coordinator.steer(id, { kind: "cancel", entry: 0 })).rejects.toThrow("already taken effect");
    await coordinator.stop(id);
  });

  it("is refused with what would be allowed", async () => {
    const bench = await workbench();
    const { coordinator } = bench;
    const id = await coordinator.start(tinyDqn({ max_steps: 100_000_000 }), { seed: SEED });
    await bench.untilGeneration(id, 1);
    const set = (hyperparameter: string, value: number): SteeringAction => {
      return { kind: "set", index: null, hyperparameter, value };
    };
    await expect(coordinator.steer(id, set("lr", 5))).rejects.toThrow(
      "lr: found 5, allowed numbers from 0.0001 to 0.01",
    );
    await expect(coordinator.steer(id, set("lr", Number.NaN))).rejects.toThrow("value");
    await expect(coordinator.steer(id, set("gamma", 0.9))).rejects.toThrow("those that can are: lr");
    await expect(coordinator.steer(id, { kind: "replace", index: 9999 })).rejects.toThrow(
      "Member 9999 was replaced",
    );
    await expect(coordinator.steer(id, { kind: "clone", index: -1, over: 0 })).rejects.toThrow("index");
    expect(await coordinator.steering(id)).toEqual([]);
    await coordinator.deleteRun(id);
  });
});
