import { ModuleTasks } from "./ModuleTasks.ts";
import { type ModuleTask, objectFacts } from "./moduleProtocol.ts";
import { type ModuleAnswer, TaskModule, type UserModule } from "./UserModule.ts";

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
class GivenModule extends TaskModule {
  readonly #name: string;
  readonly #tasks: ModuleTasks;

  constructor(path: string, exported: Exports) {
    super();
    this.#name = `module ${path}`;
    this.#tasks = new ModuleTasks(exported);
  }

  close(): void {
    // The module belongs to the caller.
  }

  protected async run(what: string, task: ModuleTask): Promise<ModuleAnswer> {
    try {
      const { value, facts } = await this.#tasks.run(task);
      return { value, facts: objectFacts.parse(facts) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${this.#name}: ${what}: ${reason}`, { cause: error });
    }
  }
}
