import type { TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import type { TrainingEvent } from "../../tracking/observer.ts";
import type { FetchProgress } from "../protocol/data.ts";
import type { RunEvent, RunFetch } from "../protocol/runs.ts";

interface UnderWay {
  fetch: RunFetch;
  readonly ending: AbortController;
  done: Promise<boolean>;
}

/** Data of hubs that runs wait for before they train: data sets of Minari, and rows of language models. */
export class RunFetches {
  readonly #files: FileStore;
  readonly #emit: (event: RunEvent) => void;
  readonly #underWay = new Map<string, UnderWay>();

  /** @param files The store for data sets. */
  constructor(files: FileStore, emit: (event: RunEvent) => void) {
    this.#files = files;
    this.#emit = emit;
  }

  /** Progress of the download that a run waits for; null if it waits for none. */
  of(id: string): RunFetch | null {
    return this.#underWay.get(id)?.fetch ?? null;
  }

  /**
   * Whether a run's data has to be fetched from a hub.
   * @throws DatasetError for an invalid data set id; HubError for rows in the cache that were changed.
   */
  async isNeeded(manifest: TrainingManifest): Promise<boolean> {
    if (rowsIdOf(manifest) !== null) {
      const { missingHubRows } = await import("./parts/hubRows.ts");
      return (await missingHubRows(manifest, this.#files)) !== null;
    }
    const id = hubIdOf(manifest);
    if (id === null) return false;
    // Loaded on demand, so that the worker's start does not load the data set code.
    const { KeptDatasets, keepsDatasets, requireDatasetId } = await import("./parts/keptDatasets.ts");
    if (!keepsDatasets(this.#files)) return false;
    return (await new KeptDatasets(this.#files).ofHub(requireDatasetId(id))) === null;
  }

  /**
   * Downloads the data of a run's manifest into this browser's storage, and reports the progress.
   * @returns false if the download was cancelled; the received part is kept for the next attempt.
   * @throws DatasetError or HubError naming id and address.
   */
  async fetch(run: string, manifest: TrainingManifest): Promise<boolean> {
    const dataset = rowsIdOf(manifest) ?? hubIdOf(manifest);
    if (dataset === null) return true;
    const known = this.#underWay.get(run);
    if (known) return known.done;
    const ending = new AbortController();
    const own: UnderWay = {
      fetch: { dataset, received: 0, total: null },
      ending,
      done: Promise.resolve(false),
    };
    this.#underWay.set(run, own);
    own.done = this.#receive(run, own, manifest)
      .then(
        () => true,
        (error: unknown) => {
          if (own.ending.signal.aborted) return false;
          throw error;
        },
      )
      .finally(() => {
        this.#underWay.delete(run);
        this.#emit({ run, kind: "fetch", fetch: null });
      });
    return own.done;
  }

  /** Cancels the download that a run waits for. */
  cancel(run: string): void {
    this.#underWay.get(run)?.ending.abort();
  }

  async #receive(run: string, own: UnderWay, manifest: TrainingManifest): Promise<void> {
    const { dataset } = own.fetch;
    this.#emit({ run, kind: "fetch", fetch: own.fetch });
    const { signal } = own.ending;
    const onEvent = calmProgress((progress) => {
      own.fetch = { dataset, ...progress };
      this.#emit({ run, kind: "fetch", fetch: own.fetch });
    });
    if (rowsIdOf(manifest) !== null) {
      const { fetchHubNeeds } = await import("./parts/hubRows.ts");
      const on = (event: TrainingEvent): void => void (event.event === "download" && onEvent(event));
      return fetchHubNeeds(manifest, { store: this.#files, signal }, { on });
    }
    const { fetchKept } = await import("./parts/keptDatasets.ts");
    await fetchKept(dataset, this.#files, { remote: true, signal, onEvent });
  }
}

/**
 * Id of the hub data set that a manifest fetches; null if it fetches none. A path takes
 * precedence over an id.
 */
function hubIdOf({ environment }: TrainingManifest): string | null {
  if (environment.env_type !== "offline") return null;
  const { dataset_path, hub_dataset_id, remote } = environment;
  return remote && !dataset_path && hub_dataset_id ? hub_dataset_id : null;
}

/** Id of a language model's rows on the Hugging Face hub; null if a manifest names none. */
function rowsIdOf({ environment }: TrainingManifest): string | null {
  const { env_type } = environment;
  return env_type === "dataset" || env_type === "rollout" ? environment.hf_dataset_id : null;
}

/** Minimum milliseconds between two progress reports of a download. */
const TELL_EVERY = 100;

/** Limits a download's progress reports to a few per second; the first and the last are always passed on. */
export function calmProgress(tell: (progress: FetchProgress) => void): (progress: FetchProgress) => void {
  let told = Number.NEGATIVE_INFINITY;
  return ({ received, total }) => {
    const now = performance.now();
    if (now - told < TELL_EVERY && received !== total) return;
    told = now;
    tell({ received, total });
  };
}
