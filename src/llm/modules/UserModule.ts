/** JavaScript modules that a manifest names: they run beside this thread, so that what loops can be ended. */
import { isNode } from "../../storage/isNode.ts";

/** What an object of a module has beside its methods, as of its last call. */
export interface ObjectFacts {
  readonly dataset_size?: number | undefined;
  readonly num_epochs?: number | undefined;
}

/** What comes of a task, and what the object of the task has beside its methods. */
export interface ModuleAnswer {
  readonly value?: unknown;
  readonly facts: ObjectFacts | null;
}

/** An object that a module made, such as an environment. */
export interface ModuleObject {
  readonly facts: ObjectFacts;
  /**
   * Calls a method; of one that the object does not have, nothing comes.
   * @throws As {@link UserModule.call}.
   */
  call(method: string, args: readonly unknown[]): Promise<unknown>;
}

/** A module in a thread of its own, or in a sandbox. Arguments and results are copies. */
export interface UserModule {
  /** @throws Error naming the module where it cannot be loaded, or has no function of that name; TimeoutError. */
  requireFunction(name: string): Promise<void>;
  /**
   * Calls a function of it.
   * @throws Error that names the module; TimeoutError past the deadline of a call, which ends the module and all its calls.
   */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
  /** What an export makes: a class its object, a function what it returns, an object itself. @throws As `call`. */
  make(name: string, args: readonly unknown[]): Promise<ModuleObject>;
  /** Ends what it runs in. */
  close(): void;
}

export interface ModuleOptions {
  /** Deadline of each call, in seconds from its beginning; null for none. */
  readonly deadline_s: number | null;
}

export type OpenModule = (path: string, options: ModuleOptions) => UserModule;

/** What opens modules: worker threads in Node; null in a page, where nothing that a manifest names is loaded. */
export async function moduleOpener(): Promise<OpenModule | null> {
  if (!isNode()) return null;
  // Not a literal, so that bundlers for the browser leave it alone.
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const { ModuleThread }: { readonly ModuleThread: new (...args: Parameters<OpenModule>) => UserModule } =
    await import(/* @vite-ignore */ `./node/ModuleThread.${extension}`);
  return (path, options) => new ModuleThread(path, options);
}
