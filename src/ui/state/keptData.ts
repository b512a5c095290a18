import { create } from "zustand";
import { WorkerClient } from "../../workers/computing.ts";
import {
  callsBy,
  DATA_CALLS,
  type DataCalls,
  type FetchProgress,
  invoke,
  type KeptDataset,
  type PlayedEpisodes,
  type RecordRequest,
  type SampleId,
} from "../../workers/pages.ts";
import type { PickedFile } from "../../workers/protocol.ts";
import { lendSandboxes } from "../client/lendSandboxes.ts";
import { messageOf } from "../lib/format.ts";

const startWorker = (): Worker =>
  new Worker(new URL("../../workers/data.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit data",
  });

/**
 * Calls to the worker that stores data sets. The worker starts with the first call, and again with the first
 * call after a crash.
 */
function dataClient(start: () => Worker = startWorker): DataCalls {
  let client: WorkerClient<typeof DATA_CALLS> | null = null;
  const open = () => {
    const sandboxes = new MessageChannel();
    const endSandboxes = lendSandboxes(sandboxes.port1);
    const opened = new WorkerClient({
      table: DATA_CALLS,
      worker: start(),
      name: "The thread that stores data sets",
      onEnd: () => {
        endSandboxes();
        client = null;
      },
      onLost: () => undefined,
    });
    // A failure here surfaces when a call needs a sandbox.
    opened.calls.lendSandboxes(sandboxes.port2).catch(() => undefined);
    return opened;
  };
  return callsBy(DATA_CALLS, async (name, args) => {
    client ??= open();
    return invoke(client.calls, name, args);
  });
}

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

interface KeptData {
  /** Null until read. */
  readonly datasets: readonly KeptDataset[] | null;
  readonly fetches: readonly Fetching[];
  /** Name of the data set being checked; null for none. */
  readonly adding: string | null;
}

/**
 * The data sets stored in this browser, and downloads in progress, which continue while other pages are open.
 */
export const useKeptData = create<KeptData>(() => ({
  datasets: null,
  fetches: [],
  adding: null,
}));

export const dataCalls = dataClient();

export async function readDatasets(): Promise<void> {
  const datasets = await dataCalls.list();
  useKeptData.setState({ datasets });
}

export async function addDataset(name: string, files: readonly PickedFile[]): Promise<KeptDataset> {
  useKeptData.setState({ adding: name });
  try {
    const added = await dataCalls.add(name, files);
    await readDatasets();
    return added;
  } finally {
    useKeptData.setState({ adding: null });
  }
}

function change(id: string, news: Partial<Fetching>): void {
  useKeptData.setState(({ fetches }) => ({
    fetches: fetches.map((one) => (one.id === id ? { ...one, ...news } : one)),
  }));
}

/** Removes an ended download from the list. */
export function forgetFetch(id: string): void {
  useKeptData.setState(({ fetches }) => ({ fetches: fetches.filter((one) => one.id !== id) }));
}

/**
 * Downloads a data set; the store holds its progress and result. Does nothing if it is already downloading.
 */
export async function fetchDataset(id: string, hub: string | null): Promise<void> {
  if (useKeptData.getState().fetches.some((one) => one.id === id && one.problem === null)) return;
  forgetFetch(id);
  const begun: Fetching = { id, hub, received: 0, total: null, problem: null, cancelled: false };
  useKeptData.setState(({ fetches }) => ({ fetches: [...fetches, begun] }));
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

export async function makeSample(id: SampleId): Promise<KeptDataset> {
  useKeptData.setState({ adding: "the sample" });
  try {
    const made = await dataCalls.makeSample(id);
    await readDatasets();
    return made;
  } finally {
    useKeptData.setState({ adding: null });
  }
}

export async function recordDataset(request: RecordRequest): Promise<KeptDataset> {
  const recorded = await dataCalls.record(request);
  await readDatasets();
  return recorded;
}

export async function keepPlayed(played: PlayedEpisodes): Promise<KeptDataset> {
  const kept = await dataCalls.keepPlayed(played);
  await readDatasets();
  return kept;
}
