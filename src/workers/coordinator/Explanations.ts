/** Tests of what mutations of stored runs did. */
import type { FileStore } from "../../storage/index.ts";
import { explainWith } from "../../training/workloads.ts";
import type { Coordinator } from "../protocol/calls.ts";
import type { Explaining, MutationId } from "../protocol/runs.ts";
import type { MakeExecutor } from "../runs/activeRun.ts";
import { reportsBetween } from "../runs/pastReports.ts";
import type { Runs } from "../runs/Runs.ts";
import type { RunLauncher } from "./RunLauncher.ts";

interface ExplanationParts {
  readonly runs: Runs;
  readonly launcher: RunLauncher;
  readonly files: FileStore;
  readonly makeExecutor: MakeExecutor;
  readonly makeRehearsal?: MakeExecutor;
}

/** Number of generations that a member trains with and without its mutation; fewer if its run ends sooner. */
const GENERATIONS = 3;

export class Explanations {
  readonly #parts: ExplanationParts;
  #running: { readonly id: string; readonly controller: AbortController } | null = null;

  constructor(parts: ExplanationParts) {
    this.#parts = parts;
  }

  readonly calls = {
    explain: async (id, mutation) => {
      this.#running?.controller.abort(new Error("Another mutation is tested now."));
      const running = { id, controller: new AbortController() };
      this.#running = running;
      try {
        return await this.#explain(id, mutation, running.controller.signal);
      } finally {
        if (this.#running === running) this.#running = null;
        this.#tell(id, null);
      }
    },
    endExplanation: async (id) => {
      if (this.#running?.id === id) this.#running.controller.abort(new Error("The test was cancelled."));
    },
  } satisfies Partial<Coordinator>;

  async #explain(id: string, mutation: MutationId, signal: AbortSignal) {
    const { runs, launcher, files, makeExecutor, makeRehearsal = makeExecutor } = this.#parts;
    await runs.record(id);
    const newest = (await runs.store.checkpoints.list(id)).at(-1);
    if (!newest)
      throw new Error(
        "No checkpoint of this run is stored any more, so its mutations cannot be tested; train it again.",
      );
    const { generation, slot } = mutation;
    const history = await runs.history(id);
    const [report] = await reportsBetween(runs.store, id, history, generation, generation);
    const workers = launcher.workersFor(await runs.manifest(id));
    const { modules } = launcher;
    let told: Omit<Explaining, "mutation"> = { share: 0, message: null };
    const tell = (change: Partial<typeof told>): void => {
      told = { ...told, ...change };
      if (!signal.aborted) this.#tell(id, { mutation, ...told });
    };
    tell({});
    try {
      return await explainWith(
        newest.dir,
        {
          mutation: `${generation}/${slot}`,
          generations: Math.max(1, Math.min(GENERATIONS, newest.commit.generation - generation + 1)),
          store: files,
          signal,
          recorded: report?.fitnesses[slot],
          onProgress: (message) => tell({ message }),
          onShare: (share) => tell({ share }),
        },
        ({ definition, device, alone }) => {
          const request = { definition, device, modules, onNotice: (message: string) => tell({ message }) };
          return alone ? makeRehearsal({ ...request, workers: 1 }) : makeExecutor({ ...request, workers });
        },
      );
    } catch (error) {
      throw withoutPlace(error, newest.dir);
    }
  }

  #tell(run: string, explaining: Explaining | null): void {
    this.#parts.runs.emit({ run, kind: "explaining", explaining });
  }
}

/** An error about a checkpoint, in words for a page, which has no directories. */
function withoutPlace(error: unknown, dir: string): unknown {
  if (!(error instanceof Error) || !error.message.startsWith(`${dir}: `)) return error;
  const message = error.message.slice(dir.length + 2);
  return new Error(`${message.charAt(0).toUpperCase()}${message.slice(1)}`, { cause: error });
}
