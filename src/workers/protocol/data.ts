/** Data sets that this browser keeps: what the page asks of the worker that keeps them. All plain data. */

import type { KeptDataset } from "../../datasets/kept/keptDataset.ts";
import type { DatasetView } from "../../datasets/view/datasetView.ts";
import type { AgentFile } from "./agents.ts";
import type { PickedFile } from "./models.ts";
import type { Download } from "./storage.ts";

export type { DatasetView, KeptDataset };

/** How far a download is. */
export interface FetchProgress {
  readonly received: number;
  /** Null where the server does not say. */
  readonly total: number | null;
}

/** An agent whose steps become a data set. */
export interface RecordRequest {
  readonly agent: AgentFile;
  readonly name: string;
  readonly steps: number;
  /** Chance of a random action, 0 to 1. */
  readonly epsilon: number;
  /** Of all draws; a natural number. */
  readonly seed: number;
}

export interface DataCalls {
  /** Those that are kept whole, by name. */
  list(): Promise<readonly KeptDataset[]>;
  /**
   * Checks files as a run reads them, and keeps them: an HDF5 file with `metadata.json` beside it or without, or the two
   * CSV files of a bandit's table. Rejects with the file and what is wrong; nothing is left of it then.
   */
  add(name: string, files: readonly PickedFile[]): Promise<KeptDataset>;
  /**
   * The data set of an id on the hub, fetched unless it is kept.
   * @param hub Another hub's address; null for the usual one.
   */
  fetch(id: string, hub: string | null, onProgress: (progress: FetchProgress) => void): Promise<KeptDataset>;
  /** Ends the download of an id, whose `fetch` then rejects; what came of it stays for the next one. */
  cancel(id: string): Promise<void>;
  /** Opens a kept data set. Rejects for a table. */
  view(sha256: string): Promise<DatasetView>;
  remove(sha256: string): Promise<void>;
  /** A zip of the files, in the folders that Minari reads. */
  archive(sha256: string): Promise<Download>;
  record(request: RecordRequest): Promise<KeptDataset>;
}

/** What the worker is told beside what the page asks. */
export interface DataWorkerCalls extends DataCalls {
  /** Recording in an environment that a person wrote gets its sandbox on this port. */
  lendSandboxes(port: MessagePort): Promise<void>;
}
