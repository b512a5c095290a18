/** Stages in a workbench: runs of one group, each of which begins when the one before is finished. */
import { unzipSync } from "fflate";
import { afterEach, describe, expect, it } from "vitest";
import { trainStages } from "../../src/index.ts";
import { decodeSafetensors, memoryFileStore } from "../../src/storage/index.ts";
import { InThreadExecutor } from "../../src/training/index.ts";
import type { MakeExecutor } from "../../src/workers/coordinator.ts";
import { TestWorkbench } from "./support/workbench.ts";

const makeExecutor: MakeExecutor = ({ definition }) =>
  new InThreadExecutor((setup) => definition.turnRunner(setup));
const open: TestWorkbench[] = [];
async function workbench(files = memoryFileStore()): Promise<TestWorkbench> {
  const made = await new TestWorkbench({ makeExecutor, files }).open();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const made of open.splice(0)) made.close();
});

const chain = (max_steps = 32) => ({
  network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 64 },
  training: { pop_size: 1, max_steps: 16, evo_steps: 1, evaluation_interval: 1, seed: 3 },
  stages: [
    {
      algorithm: { name: "SFT", lr: 0.003, batch_size: 8 },
      environment: { dataset: "rlkit/backwards" },
      training: { max_steps },
    },
    { algorithm: { name: "DPO", lr: 0.001, batch_size: 4 }, environment: { dataset: "rlkit/polite" } },
    { algorithm: { name: "SFT", lr: 0.001, batch_size: 4 }, environment: { dataset: "rlkit/backwards" } },
  ],
});

const named = async (bench: TestWorkbench) =>
  (await bench.coordinator.listRuns()).toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** The actor of a run's elite. */
async function actorOf(bench: TestWorkbench, id: string) {
  const { bytes } = await bench.coordinator.downloadElite(id);
  const file = unzipSync(bytes)["actor/model.safetensors"];
  return decodeSafetensors(file ?? new Uint8Array(), id).tensors;
}

describe("stages", () => {
  it("train one after another to the bits of the library, as runs of one group", async () => {
    const bench = await workbench();
    const first = await bench.coordinator.start(chain(), { name: "mine" });
    const runs = await named(bench);
    expect(runs.map(({ name, group }) => [name, group])).toEqual(
      ["1 SFT", "2 DPO", "3 SFT"].map((stage) => [`mine, ${stage}`, "mine"]),
    );
    expect(runs[0]?.id).toBe(first);
    const last = runs[2]?.id ?? "";
    expect(await bench.firstState(last, "finished", "failed")).toBe("finished");
    const store = memoryFileStore();
    await trainStages(chain(), { store, out: "a", verbose: false });
    const { tensors } = decodeSafetensors(await store.read("a/3-SFT.safetensors"), "a");
    for (const [name, { data }] of await actorOf(bench, last))
      expect([name, tensors.get(`actor.${name}`)?.data]).toEqual([name, data]);
  });

  it("wait for a stopped one, also in another tab, and go on when that is finished", async () => {
    const files = memoryFileStore();
    const bench = await workbench(files);
    const first = await bench.coordinator.start(chain(64));
    await bench.untilGeneration(first, 2);
    await bench.coordinator.stop(first);
    const [, second, third] = await named(bench);
    expect(second).toMatchObject({ state: "stopped", name: "SFT dataset, 2 DPO" });
    await expect(bench.coordinator.resume(second?.id ?? "")).rejects.toThrow(
      'begins with what "SFT dataset, 1 SFT" learns, which is not finished; resume that first',
    );
    bench.close();
    const next = await workbench(files);
    await next.coordinator.resume(first);
    expect(await next.firstState(third?.id ?? "", "finished", "failed")).toBe("finished");
    const store = memoryFileStore();
    await trainStages(chain(64), { store, out: "a", verbose: false });
    const { tensors } = decodeSafetensors(await store.read("a/3-SFT.safetensors"), "a");
    const name = "model.layers.0.self_attn.q_proj.weight";
    expect((await actorOf(next, third?.id ?? "")).get(name)?.data).toEqual(
      tensors.get(`actor.${name}`)?.data,
    );
    await expect(next.coordinator.repeat(third?.id ?? "", 2)).rejects.toThrow("This run is a stage");
  });

  it("are checked with their lines before the first is stored", async () => {
    const bench = await workbench();
    const faulty = {
      ...chain(),
      stages: [...chain().stages, { ...chain().stages[0], algorithm: { name: "SFT", lr: -1 } }],
    };
    const text = JSON.stringify(faulty, null, 1);
    const [issue] = await bench.coordinator.check(text);
    expect(issue).toMatchObject({ path: "stages[3].algorithm.lr", line: expect.any(Number) });
    await expect(bench.coordinator.start(text)).rejects.toThrow("stages[3].algorithm.lr");
    expect(await bench.coordinator.check(JSON.stringify(chain()))).toEqual([]);
    expect(await bench.coordinator.listRuns()).toEqual([]);
  });
});
