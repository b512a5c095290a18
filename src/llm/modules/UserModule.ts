/** JavaScript modules named by a manifest. They run in sandboxes, unless the caller has imported them. */
import { isNode } from "../../storage/files.ts";
import type { ModuleTask } from "./moduleProtocol.ts";

/** Properties of a module's object, as of its last call. */
interface ObjectFacts {
  readonly dataset_size?: number | undefined;
  readonly num_epochs?: number | undefined;
}

/** The result of a task, and the properties of the object it concerns. */
export interface ModuleAnswer {
  readonly value?: unknown;
  readonly facts: ObjectFacts | null;
}

/** An object that a module made, such as an environment. */
export interface ModuleObject {
  readonly facts: ObjectFacts;
  /**
   * Calls a method. Returns `undefined` if the object does not have it.
   * @throws As {@link UserModule.call}.
   */
  call(method: string, args: readonly unknown[]): Promise<unknown>;
}

/** A module in its own sandbox. Arguments and results are copied. */
export interface UserModule {
  /**
   * @throws Error naming the module if it cannot be loaded, or has no function of that name; TimeoutError.
   */
  requireFunction(name: string): Promise<void>;
  /**
   * Calls an exported function.
   * @throws Error naming the module; TimeoutError past the time limit of a call, which ends
   *   the module and all its calls.
   */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
  /**
   * Makes an object from an export: an instance of a class, a function's result, or the exported object.
   * @throws As `call`.
   */
  make(name: string, args: readonly unknown[]): Promise<ModuleObject>;
  /** Ends the sandbox. */
  close(): void;
}

/** A module that does tasks, wherever it runs. */
export abstract class TaskModule implements UserModule {
  /** @param what What is done, for errors. */
  protected abstract run(what: string, task: ModuleTask): Promise<ModuleAnswer>;

  abstract close(): void;

  async requireFunction(name: string): Promise<void> {
    await this.run(name, { kind: "type", name });
  }

  async call(name: string, args: readonly unknown[]): Promise<unknown> {
    return (await this.run(name, { kind: "call", name, args })).value;
  }

  async make(name: string, args: readonly unknown[]): Promise<ModuleObject> {
    const made = await this.run(name, { kind: "make", name, args });
    const object = Number(made.value);
    let facts = made.facts ?? {};
    return {
      get facts() {
        return facts;
      },
      call: async (method, given) => {
        const answer = await this.run(method, { kind: "method", object, name: method, args: given });
        facts = answer.facts ?? facts;
        return answer.value;
      },
    };
  }
}

interface ModuleOptions {
  /** Time limit of each call in seconds, from the start of the call; `null` for none. */
  readonly deadline_s: number | null;
}

export type OpenModule = (path: string, options: ModuleOptions) => UserModule;

/**
 * Returns a function that opens the modules of files: in sandboxes in Node; `null` in a page, which loads no modules of
 * manifests.
 */
async function moduleOpener(): Promise<OpenModule | null> {
  if (!isNode()) return null;
  // oxlint-disable-next-line rlkit/import-direction -- sandboxes stand above; they are needed when a module is opened
  return (await import("#node/sandbox/node/fileModule")).openFileModule;
}

/** The modules of a manifest, each opened on first use in one sandbox. */
export class UserModules {
  readonly #open: OpenModule | null;
  readonly #options: ModuleOptions;
  readonly #modules = new Map<string, UserModule>();

  private constructor(open: OpenModule | null, options: ModuleOptions) {
    this.#open = open;
    this.#options = options;
  }

  /** @param open Opens modules (default: those of files, in sandboxes). */
  static async of(options: ModuleOptions, open?: OpenModule): Promise<UserModules> {
    return new UserModules(open ?? (await moduleOpener()), options);
  }

  /** @throws Error in a page. */
  at(path: string): UserModule {
    if (this.#open === null)
      throw new Error(`module ${path}: a page cannot run modules that a manifest names; use \`rlkit train\``);
    const module = this.#modules.get(path) ?? this.#open(path, this.#options);
    this.#modules.set(path, module);
    return module;
  }

  /** Ends all modules. */
  close(): void {
    for (const module of this.#modules.values()) module.close();
  }
}
