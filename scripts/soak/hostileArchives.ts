/**
 * Imports many archives that were tampered with: `tsx scripts/soak/hostileArchives.ts [how many, 1000 unless given] [first seed, 0]`.
 * Each must be refused by a sentence, or be a run that opens.
 */
import { memoryFileStore, memoryRunIndex, memoryRunLocks, RunStore } from "../../src/storage/index.ts";
import { createCoordinator, type TabCoordinator } from "../../src/workers/coordinator.ts";
import { hostileArchive } from "../../tests/support/hostileArchives.ts";
import { tinyDqn } from "../../tests/workers/support/manifests.ts";
import { oneThread } from "../../tests/workers/support/workbench.ts";

function coordinator(): TabCoordinator {
  const files = memoryFileStore();
  return createCoordinator({
    runStore: new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() }),
    files,
    makeExecutor: oneThread,
    requireGpu: () => Promise.reject(new Error("no GPU here")),
    cores: 1,
  });
}

async function exported(): Promise<Uint8Array> {
  const maker = coordinator();
  const id = await maker.start(tinyDqn(), { seed: 3 });
  await new Promise<void>((resolve) => {
    maker.onEvent = (event) => {
      if (event.kind === "state" && event.state === "finished") resolve();
    };
  });
  return (await maker.exportRun(id)).bytes;
}

const [count = 1000, first = 0] = process.argv.slice(2).map(Number);
const zip = await exported();
let [refused, opened] = [0, 0];
for (let seed = first; seed < first + count; seed++) {
  const importer = coordinator();
  let id: string;
  try {
    id = await importer.importRun(await hostileArchive(zip, seed));
  } catch (error) {
    if (!(error instanceof Error) || error.message.length <= 20) throw error;
    refused += 1;
    continue;
  }
  await importer.snapshot(id);
  await importer.history(id, 1);
  await importer.agents(id);
  opened += 1;
}
console.log(`${count} archives: ${refused} refused by a sentence, ${opened} opened`);
