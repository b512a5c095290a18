import { WorkerClient } from "../../workers/computing.ts";
import { type PlatformCalls, REMOTE_CALLS, type RemoteMessage } from "../../workers/pages.ts";

export interface PlatformClientParts {
  readonly hear: (message: RemoteMessage) => void;
  /** Called with the reason when the worker ends by itself. */
  readonly onLost: (reason: Error) => void;
  /** Starts the worker. Defaults to the script `remote.worker.ts`. */
  readonly start?: () => Worker;
}

/** The page's connection to a remote platform. */
export interface PlatformClient {
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
export function platformClient({ hear, onLost, start = startWorker }: PlatformClientParts): PlatformClient {
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
