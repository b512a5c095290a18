/** The samples of the page *Data*: always the same, and each trains as its page offers it. */
import { afterEach, describe, expect, it } from "vitest";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import { memoryFileStore } from "../../../src/storage/index.ts";
import { manifestForDataset } from "../../../src/ui/pages/data/manifestForDataset.ts";
import { DataService } from "../../../src/workers/coordinator.ts";
import { SAMPLES } from "../../../src/workers/pages.ts";
import { TestWorkbench } from "../../workers/support/workbench.ts";

const open: TestWorkbench[] = [];
afterEach(() => {
  for (const made of open.splice(0)) made.close();
});

describe.each(SAMPLES)("the sample %s", (id) => {
  it("is always the same, and stored once", async () => {
    const service = new DataService(memoryFileStore());
    const made = await service.makeSample(id);
    expect(made).toMatchObject({
      sha256: (await new DataService(memoryFileStore()).makeSample(id)).sha256,
      origin: "made",
    });
    expect(await service.makeSample(id)).toEqual(made);
    expect(await service.list()).toEqual([made]);
    expect(() => parseManifestObject(manifestForDataset(made))).not.toThrow();
  });
});

// Chats are trained on in a browser (tests/e2e/data.e2e.test.ts), whose store language models read.
it.each(["cartpole", "rings"] as const)(
  "the sample %s trains with the manifest that its page opens",
  async (id) => {
    const files = memoryFileStore();
    const made = await new DataService(files).makeSample(id);
    const { training, ...offered } = parseManifestObject(manifestForDataset(made));
    const bench = await new TestWorkbench({ files }).open();
    open.push(bench);
    const budget = {
      ...training,
      pop_size: 2,
      max_steps: 2 * (training.evo_steps ?? 1),
      eval_steps: 20,
      eval_loop: 1,
    };
    const run = await bench.trainToEnd({ ...offered, training: budget }, 2);
    const { summary, latest } = await bench.coordinator.snapshot(run);
    expect(summary.state).toBe("finished");
    expect(latest?.fitnesses.every(Number.isFinite)).toBe(true);
  },
);
