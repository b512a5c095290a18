import { create } from "zustand";
import { WorkerClient } from "../../workers/computing.ts";
import {
  type PlatformCalls,
  REMOTE_CALLS,
  type RemoteMessage,
  type RemotePlatform,
} from "../../workers/pages.ts";
import type { RunEvent } from "../../workers/protocol.ts";
import type { RemoteRuns } from "../client/Connection.ts";
import { messageOf } from "../lib/format.ts";

interface PlatformClientParts {
  readonly hear: (message: RemoteMessage) => void;
  /** Called with the reason when the worker ends by itself. */
  readonly onLost: (reason: Error) => void;
  /** Starts the worker. Defaults to the script `remote.worker.ts`. */
  readonly start?: () => Worker;
}

/** The page's connection to a remote platform. */
interface PlatformClient {
  readonly calls: PlatformCalls;
  /** Terminates the worker, which also discards the key in its memory. */
  close(): void;
}

const startWorker = (): Worker =>
  new Worker(new URL("../../workers/remote.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit remote",
  });

/** Starts a worker that connects to a platform, because the page itself may not open network connections. */
function platformClient({ hear, onLost, start = startWorker }: PlatformClientParts): PlatformClient {
  const messages = new MessageChannel();
  const client = new WorkerClient({
    table: REMOTE_CALLS,
    worker: start(),
    name: "The thread that connects to the platform",
    onEnd: () => messages.port1.close(),
    onLost,
  });
  messages.port1.onmessage = ({ data }: MessageEvent<RemoteMessage>) => hear(data);
  // A failure means that the worker has ended.
  client.calls.subscribe(messages.port2).catch(() => undefined);
  return { calls: client.calls, close: () => client.end(new Error("The platform was disconnected.")) };
}

interface RemoteState {
  /** The last entered address, even if the connection failed. */
  readonly address: string;
  readonly connecting: boolean;
  /** Null while no platform is connected. */
  readonly platform: RemotePlatform | null;
  /** The project whose runs are listed, and to which new runs are submitted. */
  readonly project: string;
  /** Why a connection failed or was lost; null if there is no problem. */
  readonly problem: string | null;
  /** Why the connected platform does not answer; null if it does. */
  readonly silence: string | null;
}

const NONE: RemoteState = {
  address: "http://127.0.0.1:8400",
  connecting: false,
  platform: null,
  project: "",
  problem: null,
  silence: null,
};

/** The default project of a platform. */
const FIRST_PROJECT = "default";

/**
 * The platform that this page is connected to. Nothing about it is stored, and its key is only in its worker.
 */
export const useRemotePlatform = create<RemoteState>(() => NONE);

let client: PlatformClient | null = null;
const listeners = new Set<(event: RunEvent) => void>();

/** The platform's calls. @throws Error while no platform is connected. */
export function remoteCalls(): PlatformCalls {
  if (client !== null) return client.calls;
  throw new Error(
    "This run is on a remote platform, but this page is not connected to one. Connect on the Remote page.",
  );
}

export const remoteRuns: RemoteRuns = {
  calls: remoteCalls,
  onEvent: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  hold: (run) => {
    const held = client;
    // A failure means that the connection is lost, and with it the run's events.
    held?.calls.hold(run).catch(() => undefined);
    return () => void held?.calls.release(run).catch(() => undefined);
  },
};

/** Connects to a platform, replacing the previous one; the state reports the result. */
export async function connectPlatform(address: string, key: string): Promise<void> {
  disconnectPlatform();
  const own = platformClient({
    hear: (message) => {
      if (client !== own) return;
      if (message.kind === "link") tellSilence(message.problem);
      else for (const listener of listeners) listener(message.event);
    },
    onLost: (reason) => {
      if (client === own) disconnectPlatform(messageOf(reason));
    },
  });
  client = own;
  useRemotePlatform.setState({ address, connecting: true, problem: null });
  try {
    const platform = await own.calls.connect(address, key);
    const { user, projects } = platform;
    const first = projects.includes(FIRST_PROJECT) ? FIRST_PROJECT : (projects[0] ?? FIRST_PROJECT);
    if (client === own)
      useRemotePlatform.setState({ connecting: false, platform, project: user.project ?? first });
  } catch (error) {
    if (client === own) disconnectPlatform(messageOf(error));
  }
}

/** Disconnects from the platform. @param problem The reason, if the user did not request it. */
export function disconnectPlatform(problem: string | null = null): void {
  client?.close();
  client = null;
  useRemotePlatform.setState({ ...NONE, address: useRemotePlatform.getState().address, problem });
}

/** Sets why the platform does not answer; null if it does. */
export function tellSilence(silence: string | null): void {
  if (useRemotePlatform.getState().silence !== silence) useRemotePlatform.setState({ silence });
}
