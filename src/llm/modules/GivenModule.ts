import { ModuleTasks } from "./ModuleTasks.ts";
import { moduleObject } from "./moduleObject.ts";
import { type ModuleTask, objectFacts } from "./moduleProtocol.ts";
import type { ModuleAnswer, ModuleObject, UserModule } from "./UserModule.ts";

type Exports = Readonly<Record<string, unknown>>;

const given = new Map<string, Exports>();

/** Keeps a module that this program's own caller has imported, by its URL. */
export const keepGivenModule = (url: string, exported: object): void => void given.set(url, { ...exported });

/** A module that the caller of this program has imported; null for any other. */
export function givenModule(path: string, url: string): UserModule | null {
  const exported = given.get(url);
  return exported ? new GivenModule(path, exported) : null;
}

/** Its functions run in this thread, as the caller's own code does, so nothing limits their time. */
class GivenModule implements UserModule {
  readonly #name: string;
  readonly #tasks: ModuleTasks;

  constructor(path: string, exported: Exports) {
    this.#name = `module ${path}`;
    this.#tasks = new ModuleTasks(exported);
  }

  async requireFunction(name: string): Promise<void> {
    await this.#run(name, { kind: "type", name });
  }

  async call(name: string, args: readonly unknown[]): Promise<unknown> {
    return (await this.#run(name, { kind: "call", name, args })).value;
  }

  async make(name: string, args: readonly unknown[]): Promise<ModuleObject> {
    const made = await this.#run(name, { kind: "make", name, args });
    return moduleObject(made, (method, task) => this.#run(method, task));
  }

  close(): void {
    // The module belongs to the caller.
  }

  async #run(what: string, task: ModuleTask): Promise<ModuleAnswer> {
    try {
      const { value, facts } = await this.#tasks.run(task);
      return { value, facts: objectFacts.parse(facts) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${this.#name}: ${what}: ${reason}`, { cause: error });
    }
  }
}
