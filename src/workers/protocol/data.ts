/** Data sets in browser storage: calls from the page to the worker that stores them. All data is plain. */

import type { KeptDataset } from "../../datasets/kept.ts";
import type { RecordedEpisode } from "../../datasets/record.ts";
import type { DatasetView } from "../../datasets/view.ts";
import type { HubModelListing } from "../../llm/models.ts";
import { type ClientCalls, call, portCall } from "./callTable.ts";
import type { AgentFile, Download, PickedFile } from "./stored.ts";

export type { DatasetView, HubModelListing, KeptDataset, RecordedEpisode };

/** Progress of a download. */
export interface FetchProgress {
  readonly received: number;
  /** Null if the server does not report it. */
  readonly total: number | null;
}

/** Which hub is asked, and with which token. */
export interface HubAccess {
  /** Null for the default hub. */
  readonly hub: string | null;
  /** Sent to that hub only, and never stored. */
  readonly token: string | null;
}

/** The samples that can be made: steps of episodes, a table for bandits, chats for language models. */
export const SAMPLES = ["cartpole", "rings", "chats"] as const;
export type SampleId = (typeof SAMPLES)[number];

/** The path in manifests of the rows of a data set. Language models read it from the store as any other file. */
export const keptRowsPath = ({ sha256 }: Pick<KeptDataset, "sha256">): string =>
  `v1/datasets/${sha256}/rows.jsonl`;

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

/** Episodes that somebody played in one of rlkit's own environments, to be kept as a data set. */
export interface PlayedEpisodes {
  readonly name: string;
  readonly environment: string;
  readonly episodes: readonly RecordedEpisode[];
}

/** The calls of the worker that stores data sets. */
export const DATA_CALLS = {
  /** All completely stored data sets, by name. */
  list: call<() => Promise<readonly KeptDataset[]>>(),
  /**
   * Checks files as a run reads them, and stores them: an HDF5 file with or without `metadata.json`, or the
   * two CSV files of a bandit's table. Rejects with the file and its problem, and then stores nothing.
   */
  add: call<(name: string, files: readonly PickedFile[]) => Promise<KeptDataset>>(),
  /**
   * The data set with an id on the hub, fetched unless it is already stored. `hub` is the address of another hub;
   * null for the default hub.
   */
  fetch:
    call<
      (id: string, hub: string | null, onProgress: (progress: FetchProgress) => void) => Promise<KeptDataset>
    >(),
  /**
   * Cancels the download of an id. Its call rejects, and the received part is kept for the next attempt.
   */
  cancel: call<(id: string) => Promise<void>>(),
  /**
   * What a model of the Hugging Face hub has: files, sizes, licence. Loads no weights. Rejects with what is missing or not
   * supported.
   */
  listHubModel: call<(id: string, access: HubAccess) => Promise<HubModelListing>>(),
  /** Downloads a listed model into storage; `cancel` of its id ends that, and keeps the received part. */
  fetchHubModel:
    call<
      (
        listing: HubModelListing,
        access: HubAccess,
        onProgress: (progress: FetchProgress) => void,
      ) => Promise<void>
    >(),
  /** Opens a stored data set. Rejects for a table. */
  view: call<(sha256: string) => Promise<DatasetView>>({ moves: true }),
  remove: call<(sha256: string) => Promise<void>>(),
  /** A zip of the files, in the folder layout that Minari reads. */
  archive: call<(sha256: string) => Promise<Download>>({ moves: true }),
  /** Makes a sample, always the same one, and stores it; the stored one if it is there. */
  makeSample: call<(id: SampleId) => Promise<KeptDataset>>(),
  record: call<(request: RecordRequest) => Promise<KeptDataset>>(),
  /** Stores episodes that were played by hand. Rejects if there are none. */
  keepPlayed: call<(played: PlayedEpisodes) => Promise<KeptDataset>>(),
  /** Passes the port that provides sandboxes, for recording in user-written environments. */
  lendSandboxes: portCall(),
};

export type DataCalls = ClientCalls<typeof DATA_CALLS>;
