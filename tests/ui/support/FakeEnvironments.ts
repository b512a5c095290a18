import { memoryFileStore } from "../../../src/storage/index.ts";
import { KeptEnvironments } from "../../../src/workers/coordinator.ts";
import type { EnvironmentText, PageCalls } from "../../../src/workers/protocol.ts";

/** Environments that are kept as long as the test. */
export class FakeEnvironments {
  readonly #kept = new KeptEnvironments(memoryFileStore());
  /** What each run was started with, by id. */
  readonly ofRuns = new Map<string, EnvironmentText>();

  readonly calls = {
    listEnvironments: () => this.#kept.list(),
    readEnvironment: (name) => this.#kept.read(name),
    saveEnvironment: (name, source) => this.#kept.save(name, source),
    deleteEnvironment: (name) => this.#kept.remove(name),
    runEnvironment: async (run) => this.ofRuns.get(run) ?? null,
  } satisfies Partial<PageCalls>;
}
