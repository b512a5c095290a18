/** Data sets in browser storage: calls from the page to the worker that stores them. All data is plain. */

import type { KeptDataset } from "../../datasets/kept.ts";
import type { DatasetView } from "../../datasets/view.ts";
import type { AgentFile } from "./agents.ts";
import type { PickedFile } from "./models.ts";
import type { Download } from "./storage.ts";

export type { DatasetView, KeptDataset };

/** Progress of a download. */
export interface FetchProgress {
  readonly received: number;
  /** Null if the server does not report it. */
  readonly total: number | null;
}

/** A request to record an agent's steps as a data set. */
export interface RecordRequest {
  readonly agent: AgentFile;
  readonly name: string;
  readonly steps: number;
  /** Chance of a random action, 0 to 1. */
  readonly epsilon: number;
  /** Seed of all random draws; a non-negative integer. */
  readonly seed: number;
}

export interface DataCalls {
  /** All completely stored data sets, by name. */
  list(): Promise<readonly KeptDataset[]>;
  /**
   * Checks files as a run reads them, and stores them: an HDF5 file with or without `metadata.json`, or the
   * two CSV files of a bandit's table. Rejects with the file and its problem, and then stores nothing.
   */
  add(name: string, files: readonly PickedFile[]): Promise<KeptDataset>;
  /**
   * The data set with an id on the hub, fetched unless it is already stored.
   * @param hub Address of another hub; null for the default hub.
   */
  fetch(id: string, hub: string | null, onProgress: (progress: FetchProgress) => void): Promise<KeptDataset>;
  /**
   * Cancels the download of an id. Its `fetch` rejects, and the received part is kept for the next attempt.
   */
  cancel(id: string): Promise<void>;
  /** Opens a stored data set. Rejects for a table. */
  view(sha256: string): Promise<DatasetView>;
  remove(sha256: string): Promise<void>;
  /** A zip of the files, in the folder layout that Minari reads. */
  archive(sha256: string): Promise<Download>;
  record(request: RecordRequest): Promise<KeptDataset>;
}

/** All calls of the worker. */
export interface DataWorkerCalls extends DataCalls {
  /** Passes the port that provides sandboxes, for recording in user-written environments. */
  lendSandboxes(port: MessagePort): Promise<void>;
}
