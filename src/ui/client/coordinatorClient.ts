import { type Remote, releaseProxy, transfer, wrap } from "comlink";
import { installErrorTransfer } from "../../workers/computing.ts";
import type { Coordinator, RunEvent } from "../../workers/protocol.ts";
import type { Connection } from "./Connection.ts";
import { lendSandboxes } from "./lendSandboxes.ts";
import { WaitingCalls } from "./WaitingCalls.ts";

const startWorker = (): Worker =>
  new Worker(new URL("../../workers/coordinator.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit coordinator",
  });

class CoordinatorClient implements Connection {
  readonly coordinator: Connection["coordinator"];
  readonly #worker: Worker;
  // Keeps a reference: comlink releases a proxy that is garbage-collected while a call is pending.
  readonly #remote: Remote<Coordinator>;
  readonly #events = new MessageChannel();
  readonly #eventListeners = new Set<(event: RunEvent) => void>();
  readonly #lostListeners = new Set<(reason: Error) => void>();
  readonly #waiting = new WaitingCalls();
  #lost: Error | null = null;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#remote = wrap<Coordinator>(worker);
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#lose(lossOf(event.message));
    });
    worker.addEventListener("messageerror", () => this.#lose(lossOf("a message could not be read")));
    this.#events.port1.onmessage = ({ data }: MessageEvent<RunEvent>) => {
      for (const listener of this.#eventListeners) listener(data);
    };
    const remote = this.#remote;
    const give = (port: MessagePort, send: (port: MessagePort) => Promise<void>): void =>
      void this.#call(() => send(transfer(port, [port]))).catch((error: unknown) =>
        this.#lose(lossOf(error instanceof Error ? error.message : String(error))),
      );
    give(this.#events.port2, (port) => remote.subscribe(port));
    const sandboxes = new MessageChannel();
    lendSandboxes(sandboxes.port1);
    give(sandboxes.port2, (port) => remote.lendSandboxes(port));
    this.coordinator = {
      useModules: (urls) => this.#call(() => remote.useModules(urls)),
      setVisible: (visible) => this.#call(() => remote.setVisible(visible)),
      listRuns: () => this.#call(() => remote.listRuns()),
      manifests: () => this.#call(() => remote.manifests()),
      snapshot: (id) => this.#call(() => remote.snapshot(id)),
      generations: (id, first, last) => this.#call(() => remote.generations(id, first, last)),
      check: (text) => this.#call(() => remote.check(text)),
      estimate: (text) => this.#call(() => remote.estimate(text)),
      calibrate: (text) => this.#call(() => remote.calibrate(text)),
      start: (manifest, options) => this.#call(() => remote.start(manifest, options)),
      pause: (id) => this.#call(() => remote.pause(id)),
      resume: (id) => this.#call(() => remote.resume(id)),
      stop: (id) => this.#call(() => remote.stop(id)),
      deleteRun: (id) => this.#call(() => remote.deleteRun(id)),
      downloadElite: (id) => this.#call(() => remote.downloadElite(id)),
      downloadPolicy: (id) => this.#call(() => remote.downloadPolicy(id)),
      downloadMetrics: (id) => this.#call(() => remote.downloadMetrics(id)),
      downloadEvents: (id) => this.#call(() => remote.downloadEvents(id)),
      kernels: (id) => this.#call(() => remote.kernels(id)),
      listModels: () => this.#call(() => remote.listModels()),
      addModel: (name, files) => this.#call(() => remote.addModel(name, files)),
      deleteModel: (name) => this.#call(() => remote.deleteModel(name)),
      listEnvironments: () => this.#call(() => remote.listEnvironments()),
      readEnvironment: (name) => this.#call(() => remote.readEnvironment(name)),
      saveEnvironment: (name, source) => this.#call(() => remote.saveEnvironment(name, source)),
      deleteEnvironment: (name) => this.#call(() => remote.deleteEnvironment(name)),
      runEnvironment: (run) => this.#call(() => remote.runEnvironment(run)),
      history: (id, from) => this.#call(() => remote.history(id, from)),
      agents: (id) => this.#call(() => remote.agents(id)),
      agent: (id, ref) => this.#call(() => remote.agent(id, ref)),
      players: (id, generation) => this.#call(() => remote.players(id, generation)),
      network: (id, ref) => this.#call(() => remote.network(id, ref)),
      discard: (id) => this.#call(() => remote.discard(id)),
      rename: (id, name) => this.#call(() => remote.rename(id, name)),
      setTags: (id, tags) => this.#call(() => remote.setTags(id, tags)),
      setNote: (id, text) => this.#call(() => remote.setNote(id, text)),
      checkpoints: (id) => this.#call(() => remote.checkpoints(id)),
      pin: (id, generation, on) => this.#call(() => remote.pin(id, generation, on)),
      deleteCheckpoint: (id, generation) => this.#call(() => remote.deleteCheckpoint(id, generation)),
      exportRun: (id) => this.#call(() => remote.exportRun(id)),
      importRun: (bytes) => this.#call(() => remote.importRun(bytes)),
      persist: () => this.#call(() => remote.persist()),
      policy: () => this.#call(() => remote.policy()),
      setPolicy: (policy) => this.#call(() => remote.setPolicy(policy)),
      steer: (id, action) => this.#call(() => remote.steer(id, action)),
      steering: (id) => this.#call(() => remote.steering(id)),
      queue: (manifest, options) => this.#call(() => remote.queue(manifest, options)),
      extend: (id, max_steps) => this.#call(() => remote.extend(id, max_steps)),
      fork: (id, ref, how, manifest) => this.#call(() => remote.fork(id, ref, how, manifest)),
      storage: () => this.#call(() => remote.storage()),
    };
  }

  onEvent(listener: (event: RunEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  onLost(listener: (reason: Error) => void): () => void {
    if (this.#lost !== null) listener(this.#lost);
    else this.#lostListeners.add(listener);
    return () => this.#lostListeners.delete(listener);
  }

  close(): void {
    this.#end(new Error("The connection to the training thread was closed."));
  }

  #call<T>(send: () => Promise<T>): Promise<T> {
    return this.#lost === null ? this.#waiting.wait(send) : Promise.reject(this.#lost);
  }

  #lose(reason: Error): void {
    if (this.#lost !== null) return;
    this.#end(reason);
    for (const listener of this.#lostListeners) listener(reason);
    this.#lostListeners.clear();
  }

  #end(reason: Error): void {
    if (this.#lost !== null) return;
    this.#lost = reason;
    this.#waiting.end(reason);
    this.#remote[releaseProxy]();
    this.#events.port1.close();
    this.#worker.terminate();
  }
}

function lossOf(detail: string | undefined): Error {
  const found = detail === undefined || detail === "" ? "it could not be loaded" : detail;
  return new Error(`The training thread stopped: ${found}`);
}

/** Starts the coordinator in its own worker and connects to it. */
export function connectCoordinator(start: () => Worker = startWorker): Connection {
  installErrorTransfer();
  return new CoordinatorClient(start());
}
