import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { TimeoutError } from "../../../evolution/TimeoutError.ts";
import { workerThread } from "../../../storage/node/workerThread.ts";
import { moduleObject } from "../moduleObject.ts";
import { FromModule, type ModuleTask, type ToModule } from "../moduleProtocol.ts";
import type { ModuleAnswer, ModuleObject, ModuleOptions, UserModule } from "../UserModule.ts";

interface Call {
  readonly what: string;
  readonly done: (answer: ModuleAnswer) => void;
  readonly failed: (error: Error) => void;
  timer?: ReturnType<typeof setTimeout>;
}

/** Longest time of a timer, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** A module in a Node worker thread. The thread keeps the process alive only during calls. */
export class ModuleThread implements UserModule {
  readonly #path: string;
  readonly #deadline_s: number | null;
  readonly #worker: ReturnType<typeof workerThread>;
  readonly #calls = new Map<number, Call>();
  readonly #loaded: Promise<unknown>;
  #ids = 0;
  #ended: Error | null = null;

  constructor(path: string, { deadline_s }: ModuleOptions) {
    this.#path = path;
    this.#deadline_s = deadline_s;
    this.#worker = workerThread(import.meta.url, "./module.worker");
    this.#worker.unref();
    this.#worker.on("message", (message: unknown) => {
      const { data } = FromModule.safeParse(message);
      if (data === undefined) this.#end(this.#fault("it sent a message, which modules must not do"));
      else this.#hear(data);
    });
    this.#worker.on("error", (error) =>
      this.#end(this.#fault(error instanceof Error ? error.message : String(error))),
    );
    this.#worker.on("exit", (code) => this.#end(this.#fault(`its thread ended with exit code ${code}`)));
    this.#loaded = this.#run("loading it", { kind: "load", url: pathToFileURL(resolve(path)).href });
    // The first call reports a failed load.
    this.#loaded.catch(() => undefined);
  }

  async requireFunction(name: string): Promise<void> {
    await this.#loaded;
    await this.#run(name, { kind: "type", name });
  }

  async call(name: string, args: readonly unknown[]): Promise<unknown> {
    await this.#loaded;
    return (await this.#run(name, { kind: "call", name, args })).value;
  }

  async make(name: string, args: readonly unknown[]): Promise<ModuleObject> {
    await this.#loaded;
    const made = await this.#run(name, { kind: "make", name, args });
    return moduleObject(made, (method, task) => this.#run(method, task));
  }

  close(): void {
    this.#end(this.#fault("its thread was closed"));
  }

  #run(what: string, task: ModuleTask): Promise<ModuleAnswer> {
    const ended = this.#ended;
    if (ended !== null) return Promise.reject(ended);
    return new Promise((done, failed) => {
      const id = this.#ids++;
      this.#calls.set(id, { what, done, failed });
      this.#worker.ref();
      try {
        this.#worker.postMessage({ id, task } satisfies ToModule);
      } catch (error) {
        this.#forget(id);
        failed(this.#fault(`${what}: ${error instanceof Error ? error.message : String(error)}`));
      }
    });
  }

  #hear(message: FromModule): void {
    const call = this.#calls.get(message.id);
    if (!call) return;
    if (message.kind === "begun") {
      this.#watch(call);
      return;
    }
    clearTimeout(call.timer);
    this.#forget(message.id);
    if (message.kind === "failed") call.failed(this.#fault(`${call.what}: ${message.message}`));
    else call.done(message);
  }

  #forget(id: number): void {
    this.#calls.delete(id);
    if (this.#calls.size === 0) this.#worker.unref();
  }

  /** Starts a call's time limit when the call begins, so that waiting for the thread does not count. */
  #watch(call: Call): void {
    const deadline_s = this.#deadline_s;
    if (deadline_s === null) return;
    const late = `${call.what}: did not answer within ${deadline_s} s; its thread was ended`;
    call.timer = setTimeout(
      () => this.#end(new TimeoutError(`module ${this.#path}: ${late}`)),
      Math.min(deadline_s * 1000, LONGEST_WAIT),
    );
  }

  #end(reason: Error): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    for (const { timer, failed } of this.#calls.values()) {
      clearTimeout(timer);
      failed(reason);
    }
    this.#calls.clear();
    // The promise resolves with the exit code, which is not needed.
    void this.#worker.terminate();
  }

  #fault(reason: string): Error {
    return new Error(`module ${this.#path}: ${reason}`);
  }
}
