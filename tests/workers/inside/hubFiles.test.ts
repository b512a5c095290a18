/** Models and rows of a hub on this machine, as the workbench lists, downloads, requires and deletes them. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { cachedHubRows } from "../../../src/llm/environments.ts";
import { parseManifestObject, type TrainingManifest } from "../../../src/manifests/index.ts";
import { type FileStore, memoryFileStore } from "../../../src/storage/index.ts";
import { DataService } from "../../../src/workers/files/DataService.ts";
import { KeptModels } from "../../../src/workers/files/KeptModels.ts";
import { RunFetches } from "../../../src/workers/files/RunFetches.ts";
import { FakeHub, TOKEN } from "../../hub/support/fakeHub.ts";
import { modelFolder } from "../../llm/support/modelFolder.ts";

const MODEL = "someone/small-llama";
const ROWS = "someone/sums";
let hub: FakeHub;
let store: FileStore;
beforeAll(async () => {
  hub = await FakeHub.open();
});
beforeEach(() => {
  hub.clear();
  store = memoryFileStore();
  vi.stubEnv("HF_TOKEN", "");
  vi.stubEnv("HF_ENDPOINT", hub.address);
  hub.repositories.set(`models/${MODEL}`, {
    files: Object.fromEntries(modelFolder()),
    licence: "mit",
    gated: true,
  });
  const lines = Array.from({ length: 500 }, (_, n) => `{"prompt":"${n}","response":"${n + 1}"}`);
  hub.repositories.set(`datasets/${ROWS}`, { files: { "train.jsonl": lines.join("\n") } });
});
afterAll(() => hub.close());

const access = { hub: null, token: TOKEN };
const manifest = (model: string, environment: object = { dataset: "rlkit/backwards" }): TrainingManifest =>
  parseManifestObject({
    algorithm: { name: "SFT" },
    environment: { env_type: "dataset", objective: "sft", ...environment },
    network: { pretrained_model_name_or_path: model, max_context_length: 16 },
    training: { pop_size: 1, hpo: false },
  } as never);

it("a model is shown before it is downloaded, then listed, required and deleted like a folder", async () => {
  const service = new DataService(store);
  const notices: string[] = [];
  const run = {
    manifest: manifest(MODEL),
    notice: (_level: string, message: string) => notices.push(message),
  };
  const models = new KeptModels(store, () => [run]);
  await expect(service.listHubModel(MODEL, { hub: null, token: null })).rejects.toThrow("is gated");
  const listing = await service.listHubModel(MODEL, access);
  expect(listing).toMatchObject({ licence: "mit", gated: true, config: { family: "llama" } });
  expect(listing.weights).toBeGreaterThan(1000);
  await expect(models.require(run.manifest)).rejects.toThrow(
    `found "${MODEL}", a model of the Hugging Face hub that is not stored in this browser. Download it on the Storage page`,
  );
  const seen: number[] = [];
  await service.fetchHubModel(listing, access, ({ received }) => seen.push(received));
  expect(seen.at(-1)).toBe(listing.bytes);
  await models.require(run.manifest);
  expect(await models.list()).toEqual([{ name: MODEL, path: MODEL, bytes: listing.bytes }]);
  await models.remove(MODEL);
  expect(await models.list()).toEqual([]);
  expect(notices).toEqual([expect.stringContaining(`${MODEL} was deleted, the model that this run trains`)]);
});

it("a model's download is cancelled and resumed; what it left is listed, and can be deleted", async () => {
  const service = new DataService(store);
  const models = new KeptModels(store, () => []);
  const listing = await service.listHubModel(MODEL, access);
  hub.cut = (path) => (path.endsWith(".safetensors") ? 1000 : null);
  const stop = ({ received }: { received: number }) => received > 1000 && void service.cancel(MODEL);
  await expect(service.fetchHubModel(listing, access, stop)).rejects.toThrow("fetch it again to resume");
  expect(await models.list()).toEqual([
    { name: MODEL, path: MODEL, bytes: expect.any(Number), incomplete: true },
  ]);
  hub.cut = () => null;
  await service.fetchHubModel(listing, access, () => undefined);
  expect(await models.list()).toEqual([{ name: MODEL, path: MODEL, bytes: listing.bytes }]);
});

it("rows are fetched before the run that names them, with progress, or say why not", async () => {
  const events: unknown[] = [];
  const fetches = new RunFetches(store, (event) => events.push(event));
  const run = manifest("rlkit/tiny-letters", { hf_dataset_id: ROWS });
  expect(await fetches.isNeeded(manifest("rlkit/tiny-letters"))).toBe(false);
  expect(await fetches.isNeeded(run)).toBe(true);
  expect(await fetches.fetch("r", run)).toBe(true);
  expect(events[0]).toMatchObject({ run: "r", kind: "fetch", fetch: { dataset: ROWS, received: 0 } });
  expect(events.at(-1)).toEqual({ run: "r", kind: "fetch", fetch: null });
  expect(await fetches.isNeeded(run)).toBe(false);
  const spec = { hf_dataset_id: ROWS, hf_config: null, hf_split: null };
  expect(await cachedHubRows(spec, store)).toMatchObject({ complete: true });
  await expect(
    fetches.fetch("r", manifest("rlkit/tiny-letters", { hf_dataset_id: "no/one" })),
  ).rejects.toThrow("environment.hf_dataset_id: no/one: there is no such dataset");
});
