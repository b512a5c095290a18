import { describe, expect, it } from "vitest";
import { leastMissed } from "../../../src/storage/HallOfFame.ts";
import {
  MAX_FAME,
  memoryFileStore,
  memoryRunIndex,
  memoryRunLocks,
  RunStore,
} from "../../../src/storage/index.ts";
import { faultyFileStore, SimulatedCrash } from "../support/faultyFileStore.ts";

const policyOf = (generation: number): Uint8Array => new TextEncoder().encode(`policy of ${generation}`);
const metaOf = (generation: number) => ({
  generation,
  global_step: generation * 10,
  fitness: generation,
  index: 7,
});

async function newRun(files = memoryFileStore()) {
  const store = new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() });
  await store.createRun({ id: "a", name: "A", manifest: {} });
  await store.releaseRun("a");
  return { files, store };
}

describe("a hall of fame", () => {
  it("gives back each policy with what is known of it, in the order of generations", async () => {
    const { store } = await newRun();
    for (const generation of [3, 1, 2, 3])
      await store.fame.add("a", policyOf(generation), metaOf(generation));
    const entries = await store.fame.list("a");
    expect(
      entries.map(({ generation, index, fitness, bytes }) => [generation, index, fitness, bytes]),
    ).toEqual([
      [1, 7, 1, 11],
      [2, 7, 2, 11],
      [3, 7, 3, 11],
    ]);
    expect((await store.fame.read("a", 2)).policy).toEqual(policyOf(2));
    await expect(store.fame.read("a", 4)).rejects.toThrow("nothing of this generation");
    await store.fame.cut("a", 1);
    expect((await store.fame.list("a")).map(({ generation }) => generation)).toEqual([1]);
  });

  it("lets go of what its neighbours stand for best, and never holds more than it may", async () => {
    const entry = (generation: number) => ({ ...metaOf(generation), name: "", bytes: 0 });
    expect(leastMissed([1, 5, 6, 7, 20].map(entry))?.generation).toBe(6);
    expect(leastMissed([1, 2].map(entry))).toBeUndefined();
    const { store } = await newRun();
    for (let generation = 1; generation <= MAX_FAME + 1; generation++)
      await store.fame.add("a", policyOf(generation), metaOf(generation));
    const left = (await store.fame.list("a")).map(({ generation }) => generation);
    expect(left.length).toBeLessThanOrEqual(MAX_FAME);
    expect([left[0], left.at(-1)]).toEqual([1, MAX_FAME + 1]);
  });

  it("is whole after a crash at any operation of an addition", async () => {
    const calm = memoryFileStore();
    const counted = faultyFileStore(calm, { at: -1, fault: "crash" });
    await newRun(calm);
    const add = async (files: typeof calm, generation: number): Promise<void> => {
      const store = new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() });
      await store.fame.add("a", policyOf(generation), metaOf(generation));
    };
    await add(counted, 1);
    for (const fault of ["crash", "crash_torn", "crash_after"] as const) {
      for (let at = 0; at < counted.operations; at++) {
        const { files } = await newRun();
        await add(files, 1);
        await add(faultyFileStore(files, { at, fault }), 2).catch((error: unknown) => {
          if (!(error instanceof SimulatedCrash)) throw error;
        });
        const next = new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() });
        await next.recover();
        const generations = (await next.fame.list("a")).map(({ generation }) => generation);
        expect([[1], [1, 2]], `${fault} at ${at}`).toContainEqual(generations);
        for (const generation of generations)
          expect((await next.fame.read("a", generation)).policy).toEqual(policyOf(generation));
        // An interrupted entry can be added again.
        await next.fame.add("a", policyOf(2), metaOf(2));
        expect((await next.fame.list("a")).length).toBe(2);
      }
    }
  });
});
