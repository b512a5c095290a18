/** Adds, fetches, shows, records and deletes the data sets in browser storage. */

import { fetchKept, KeptDatasets, keptDirectory, openKept } from "../../datasets/kept.ts";
import { DatasetError } from "../../datasets/reading.ts";
import { datasetView } from "../../datasets/view.ts";
import "../../datasets/files/included.ts";
import { type FileStore, joinPath } from "../../storage/index.ts";
import type {
  DataCalls,
  DatasetView,
  FetchProgress,
  HubAccess,
  HubModelListing,
  KeptDataset,
  PlayedEpisodes,
  RecordRequest,
  SampleId,
} from "../protocol/data.ts";
import type { Download, PickedFile } from "../protocol/stored.ts";
import { checkedDataset } from "./checkedDataset.ts";
import { calmProgress } from "./RunFetches.ts";
import { playedDataset, recordedDataset } from "./recordedDataset.ts";
import { zipFiles } from "./zipFiles.ts";

export class DataService implements DataCalls {
  readonly #store: FileStore;
  readonly #kept: KeptDatasets;
  readonly #downloads = new Map<string, AbortController>();

  constructor(store: FileStore) {
    this.#store = store;
    this.#kept = new KeptDatasets(store);
  }

  list(): Promise<readonly KeptDataset[]> {
    return this.#kept.list();
  }

  async add(name: string, picked: readonly PickedFile[]): Promise<KeptDataset> {
    const { dataset, files } = await checkedDataset(name, picked);
    return this.#kept.add(dataset, files);
  }

  async fetch(
    id: string,
    hub: string | null,
    onProgress: (progress: FetchProgress) => void,
  ): Promise<KeptDataset> {
    return this.#download(id, (signal) =>
      fetchKept(id, this.#store, { remote: true, hub, signal, onEvent: calmProgress(onProgress) }),
    );
  }

  async listHubModel(id: string, access: HubAccess): Promise<HubModelListing> {
    const { listHubModel } = await import("./parts/hubModels.ts");
    return listHubModel(id, { ...access, store: this.#store });
  }

  async fetchHubModel(
    listing: HubModelListing,
    access: HubAccess,
    onProgress: (progress: FetchProgress) => void,
  ): Promise<void> {
    const { fetchHubModel } = await import("./parts/hubModels.ts");
    await this.#download(listing.id, (signal) =>
      fetchHubModel(listing, { ...access, store: this.#store, signal, onProgress: calmProgress(onProgress) }),
    );
  }

  async #download<T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#downloads.has(id)) throw new DatasetError(id, "is being fetched already");
    const ending = new AbortController();
    this.#downloads.set(id, ending);
    try {
      return await work(ending.signal);
    } finally {
      this.#downloads.delete(id);
    }
  }

  async cancel(id: string): Promise<void> {
    this.#downloads.get(id)?.abort();
  }

  async view(sha256: string): Promise<DatasetView> {
    const dataset = await openKept(this.#kept, await this.#require(sha256));
    try {
      return await datasetView(dataset);
    } finally {
      dataset.close();
    }
  }

  remove(sha256: string): Promise<void> {
    return this.#kept.remove(sha256);
  }

  async archive(sha256: string): Promise<Download> {
    const kept = await this.#require(sha256);
    const folder = kept.kind === "episodes" ? `${kept.name}/data` : kept.name;
    const files = new Map<string, Uint8Array>();
    for (const { path } of kept.files)
      files.set(joinPath(folder, path), await this.#store.read(joinPath(keptDirectory(kept), path)));
    const name = `${kept.name.replaceAll("/", "-")}.zip`;
    return { name, type: "application/zip", bytes: new Uint8Array(zipFiles(files)) };
  }

  async record(request: RecordRequest): Promise<KeptDataset> {
    const { dataset, files } = await recordedDataset(request);
    return this.#kept.add(dataset, files);
  }

  async keepPlayed(played: PlayedEpisodes): Promise<KeptDataset> {
    const { dataset, files } = await playedDataset(played);
    return this.#kept.add(dataset, files);
  }

  async makeSample(id: SampleId): Promise<KeptDataset> {
    const { sampleDataset } = await import("./samples/sampleDataset.ts");
    const { dataset, files } = await sampleDataset(id);
    return this.#kept.add(dataset, files);
  }

  async #require(sha256: string): Promise<KeptDataset> {
    const kept = await this.#kept.get(sha256);
    if (kept) return kept;
    throw new DatasetError(sha256, "is not stored in this browser; it may have been deleted");
  }
}
