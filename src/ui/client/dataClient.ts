import { proxy, type Remote, transfer, wrap } from "comlink";
import { installErrorTransfer } from "../../workers/computing.ts";
import type { DataCalls, DataWorkerCalls } from "../../workers/pages.ts";
import { lendSandboxes } from "./lendSandboxes.ts";
import { WaitingCalls } from "./WaitingCalls.ts";

const startWorker = (): Worker =>
  new Worker(new URL("../../workers/data/data.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit data",
  });

/**
 * Calls to the worker that stores data sets. The worker starts with the first call, and again with the first
 * call after a crash.
 */
export class DataClient implements DataCalls {
  readonly #start: () => Worker;
  // Keeps a reference: comlink releases a proxy that is garbage-collected while a call is pending.
  #remote: Remote<DataWorkerCalls> | null = null;
  readonly #waiting = new WaitingCalls();

  constructor(start: () => Worker = startWorker) {
    this.#start = start;
    installErrorTransfer();
  }

  list = () => this.#call((remote) => remote.list());
  add: DataCalls["add"] = (name, files) => this.#call((remote) => remote.add(name, files));
  fetch: DataCalls["fetch"] = (id, hub, onProgress) =>
    this.#call((remote) => remote.fetch(id, hub, proxy(onProgress)));
  cancel: DataCalls["cancel"] = (id) => this.#call((remote) => remote.cancel(id));
  view: DataCalls["view"] = (sha256) => this.#call((remote) => remote.view(sha256));
  remove: DataCalls["remove"] = (sha256) => this.#call((remote) => remote.remove(sha256));
  archive: DataCalls["archive"] = (sha256) => this.#call((remote) => remote.archive(sha256));
  record: DataCalls["record"] = (request) => this.#call((remote) => remote.record(request));

  #call<T>(send: (remote: Remote<DataWorkerCalls>) => Promise<T>): Promise<T> {
    const remote = this.#remote ?? this.#open();
    return this.#waiting.wait(() => send(remote));
  }

  #open(): Remote<DataWorkerCalls> {
    const worker = this.#start();
    const remote = wrap<DataWorkerCalls>(worker);
    const sandboxes = new MessageChannel();
    const endSandboxes = lendSandboxes(sandboxes.port1);
    // A failure here surfaces when a call needs a sandbox.
    void remote.lendSandboxes(transfer(sandboxes.port2, [sandboxes.port2])).catch(() => undefined);
    const lose = (detail: string): void => {
      worker.terminate();
      endSandboxes();
      this.#remote = null;
      this.#waiting.end(new Error(`The thread that stores data sets stopped: ${detail}`));
    };
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      lose(event.message || "it could not be loaded");
    });
    worker.addEventListener("messageerror", () => lose("a message could not be read"));
    this.#remote = remote;
    return remote;
  }
}
