import { type Remote, transfer, wrap } from "comlink";
import { installErrorTransfer } from "../../workers/computing.ts";
import type { RemoteCalls, RemoteMessage, RunCalls } from "../../workers/pages.ts";
import { WaitingCalls } from "./WaitingCalls.ts";

export type PlatformCalls = Omit<RemoteCalls, "subscribe"> & RunCalls;

export interface PlatformClientParts {
  readonly hear: (message: RemoteMessage) => void;
  /** Called with the reason when the worker ends by itself. */
  readonly onLost: (reason: Error) => void;
  /** Starts the worker. Defaults to the script `remote.worker.ts`. */
  readonly start?: () => Worker;
}

type Call = (...args: readonly unknown[]) => Promise<unknown>;

const startWorker = (): Worker =>
  new Worker(new URL("../../workers/remote/remote.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit remote",
  });

/**
 * The page's connection to a remote platform: a separate worker, because the page itself may not open network
 * connections.
 */
export class PlatformClient {
  readonly calls: PlatformCalls;
  readonly #worker: Worker;
  // Keeps a reference: comlink releases a proxy that is garbage-collected while a call is pending.
  readonly #remote: Remote<PlatformCalls & RemoteCalls>;
  readonly #messages = new MessageChannel();
  readonly #waiting = new WaitingCalls();

  constructor({ hear, onLost, start = startWorker }: PlatformClientParts) {
    installErrorTransfer();
    this.#worker = start();
    this.#remote = wrap<PlatformCalls & RemoteCalls>(this.#worker);
    const lose = (detail: string): void => {
      const reason = new Error(`The thread that connects to the platform stopped: ${detail}`);
      this.#end(reason);
      onLost(reason);
    };
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      lose(event.message || "it could not be loaded");
    });
    this.#worker.addEventListener("messageerror", () => lose("a message could not be read"));
    this.#messages.port1.onmessage = ({ data }: MessageEvent<RemoteMessage>) => hear(data);
    const { port2 } = this.#messages;
    void this.#waiting.wait(() => this.#remote.subscribe(transfer(port2, [port2]))).catch(() => undefined);
    // Each call has the type of the member of `PlatformCalls` with the same name.
    this.calls = new Proxy({} as PlatformCalls, {
      get: (_, name: keyof PlatformCalls) =>
        ((...args) => this.#waiting.wait(() => (this.#remote[name] as Call)(...args))) satisfies Call,
    });
  }

  /** Terminates the worker, which also discards the key in its memory. */
  close(): void {
    this.#end(new Error("The platform was disconnected."));
  }

  #end(reason: Error): void {
    this.#worker.terminate();
    this.#messages.port1.close();
    this.#waiting.end(reason);
  }
}
