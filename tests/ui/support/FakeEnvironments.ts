import { memoryFileStore } from "../../../src/storage/index.ts";
import { EnvironmentShelf } from "../../../src/workers/coordinator.ts";
import type { EnvironmentText, PageCalls } from "../../../src/workers/protocol.ts";

/** A shelf of environments that lasts as long as the test. */
export class FakeEnvironments {
  readonly #shelf = new EnvironmentShelf(memoryFileStore());
  /** What each run was started with, by id. */
  readonly ofRuns = new Map<string, EnvironmentText>();

  readonly calls = {
    listEnvironments: () => this.#shelf.list(),
    readEnvironment: (name) => this.#shelf.read(name),
    saveEnvironment: (name, source) => this.#shelf.save(name, source),
    deleteEnvironment: (name) => this.#shelf.remove(name),
    runEnvironment: async (run) => this.ofRuns.get(run) ?? null,
  } satisfies Partial<PageCalls>;
}
