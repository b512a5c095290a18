import { create } from "zustand";
import type { FetchProgress, KeptDataset, RecordRequest } from "../../workers/pages.ts";
import type { PickedFile } from "../../workers/protocol.ts";
import { dataClient } from "../client/dataClient.ts";
import { messageOf } from "../lib/format.ts";

/** A download of a data set from the hub, in progress or failed. */
export interface Fetching extends FetchProgress {
  readonly id: string;
  /** Address of another hub; null for the default. */
  readonly hub: string | null;
  /** Why the download ended; null while it is in progress. */
  readonly problem: string | null;
  /** Whether the user cancelled it. */
  readonly cancelled: boolean;
}

interface DataShelf {
  /** Null until read. */
  readonly datasets: readonly KeptDataset[] | null;
  readonly fetches: readonly Fetching[];
  /** Name of the data set being checked; null for none. */
  readonly adding: string | null;
}

/**
 * The data sets stored in this browser, and downloads in progress, which continue while other pages are open.
 */
export const useDataShelf = create<DataShelf>(() => ({
  datasets: null,
  fetches: [],
  adding: null,
}));

export const dataCalls = dataClient();

export async function readDatasets(): Promise<void> {
  const datasets = await dataCalls.list();
  useDataShelf.setState({ datasets });
}

export async function addDataset(name: string, files: readonly PickedFile[]): Promise<KeptDataset> {
  useDataShelf.setState({ adding: name });
  try {
    const added = await dataCalls.add(name, files);
    await readDatasets();
    return added;
  } finally {
    useDataShelf.setState({ adding: null });
  }
}

function change(id: string, news: Partial<Fetching>): void {
  useDataShelf.setState(({ fetches }) => ({
    fetches: fetches.map((one) => (one.id === id ? { ...one, ...news } : one)),
  }));
}

/** Removes an ended download from the list. */
export function forgetFetch(id: string): void {
  useDataShelf.setState(({ fetches }) => ({ fetches: fetches.filter((one) => one.id !== id) }));
}

/**
 * Downloads a data set; the store holds its progress and result. Does nothing if it is already downloading.
 */
export async function fetchDataset(id: string, hub: string | null): Promise<void> {
  if (useDataShelf.getState().fetches.some((one) => one.id === id && one.problem === null)) return;
  forgetFetch(id);
  const begun: Fetching = { id, hub, received: 0, total: null, problem: null, cancelled: false };
  useDataShelf.setState(({ fetches }) => ({ fetches: [...fetches, begun] }));
  try {
    await dataCalls.fetch(id, hub, (progress) => change(id, progress));
    forgetFetch(id);
    await readDatasets();
  } catch (error) {
    change(id, { problem: messageOf(error) });
  }
}

export async function cancelFetch(id: string): Promise<void> {
  change(id, { cancelled: true });
  await dataCalls.cancel(id);
}

export async function removeDataset(sha256: string): Promise<void> {
  await dataCalls.remove(sha256);
  await readDatasets();
}

export async function recordDataset(request: RecordRequest): Promise<KeptDataset> {
  const recorded = await dataCalls.record(request);
  await readDatasets();
  return recorded;
}
