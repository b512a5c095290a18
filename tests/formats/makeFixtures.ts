/**
 * Makes the fixtures of a release: `npx tsx tests/formats/makeFixtures.ts`, in a clone of the release's commit. They are
 * files that the release writes, small ones, and stay as they are: later versions must go on reading them.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { root } from "../../scripts/lib/environment.mjs";
import { main } from "../../src/cli/main.ts";
import { VERSION } from "../../src/specs/messages.ts";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { generationRows } from "../../src/tracking/clients.ts";
import { TestWorkbench } from "../workers/support/workbench.ts";
import { greedyActions } from "./greedyActions.ts";
import { fixtureManifests, workbenchManifest } from "./manifests.ts";

const target = path.join(root, "tests/formats/fixtures", VERSION);

async function keep(name: string, content: Uint8Array | string): Promise<void> {
  const file = path.join(target, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function keepTree(store: FileStore, from: string, to: string): Promise<void> {
  for (const { name, kind } of await store.list(from)) {
    if (kind === "directory") await keepTree(store, `${from}/${name}`, `${to}/${name}`);
    else await keep(`${to}/${name}`, await store.read(`${from}/${name}`));
  }
}

/** Trains by the command; keeps its last checkpoint, the elite, the manifest, and what the elite does. */
async function trained(name: string, manifest: object): Promise<unknown> {
  const store = memoryFileStore();
  await store.write("run.json", new TextEncoder().encode(JSON.stringify(manifest)));
  const args = ["train", "run.json", "--out", "out", "--seed", "3", "--device", "wasm", "--workers", "1"];
  const stdout = { write: () => undefined };
  const io = { store, stdout, stderr: process.stderr, onInterrupt: () => () => undefined };
  const code = await main(args, io);
  if (code !== 0) throw new Error(`training ${name} ended with ${code}`);
  const last = (await store.list("out")).findLast((entry) => entry.name.startsWith("checkpoint_"));
  await keepTree(store, `out/${last?.name}`, `${name}/checkpoint`);
  await keep(`${name}/manifest.yaml`, await store.read("out/manifest.yaml"));
  await keep(`${name}/agent.safetensors`, await store.read("out/elite.safetensors"));
  return greedyActions("out/elite.safetensors", store);
}

/** Trains in the workbench; keeps the exported run, its log and its record in the index. */
async function workbenchRun(manifest: object): Promise<unknown> {
  const bench = await new TestWorkbench().open();
  const id = await bench.trainToEnd(manifest, 3);
  await keep("run.zip", await bench.store.exportRun(id));
  await keepTree(bench.files, `/v1/runs/${id}/log`, "log");
  const [record] = await bench.store.listRuns();
  await keep("indexRecord.json", `${JSON.stringify(record, null, 2)}\n`);
  const { columns } = await bench.coordinator.snapshot(id);
  const { events } = await bench.store.readLog(id);
  bench.close();
  return { events: events.length, fitnesses: [...generationRows(columns)].map((row) => row.fitnesses) };
}

await rm(target, { recursive: true, force: true });
const actions: Record<string, unknown> = {};
for (const [name, manifest] of Object.entries(fixtureManifests))
  actions[name] = await trained(name, manifest);
const run = await workbenchRun(workbenchManifest);
await keep("expected.json", `${JSON.stringify({ actions, run }, null, 2)}\n`);
process.exit(0);
