/** Trains generations of a recorded run again, which gives the same bits, or one member's with a mutation undone. */
import type {
  Evolvable,
  SelectionOptions,
  SelectionResult,
  SelectionStrategy,
} from "../../evolution/index.ts";
import type { TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import type { GenerationReport } from "../../tracking/observer.ts";
import type { Executor } from "../loop/executor.ts";
import { encodeRun } from "../loop/runFiles.ts";
import { type RunParts, TrainingRun } from "../loop/TrainingRun.ts";
import type { RunState } from "../loop/Workload.ts";
import type { PreparedRun, WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import { decodeRun, type ReadRun } from "../workloads/decodeRun.ts";
import { startOf } from "./startOf.ts";

/** A boundary that was saved. */
export interface ReplayStart {
  readonly generation: number;
  /** Its place, for errors. */
  readonly name: string;
  readonly read: () => Promise<ReadRun>;
}

interface RunReplayOptions {
  readonly definition: WorkloadDefinition;
  readonly manifest: TrainingManifest;
  readonly seed: number;
  readonly recipe: number | undefined;
  readonly population: number;
  /** Saved boundaries, oldest first. */
  readonly saved: readonly ReplayStart[];
  readonly store: FileStore;
  /** Ends all training. */
  readonly signal: AbortSignal | null;
  /** @param alone Whether one member trains alone. */
  readonly makeExecutor: (alone: boolean) => Executor;
}

/** What one member does alone from a boundary on. */
interface Branch {
  readonly slot: number;
  /** Whether the member begins as its parent was, without the mutation. */
  readonly isUndone: boolean;
  readonly seed: number;
  /** Generations that it trains for. */
  readonly generations: number;
}

/** A generation boundary in the form of a checkpoint's files. */
export type KeptBoundary = Pick<ReplayStart, "generation" | "name"> & {
  readonly files: ReadonlyMap<string, Uint8Array>;
};

/** Ends nothing before its last generation, and evaluates nobody again. */
const PLAIN = { max_wall_seconds: null, target: null, early_stopping: null, final_episodes: 0 } as const;

export class RunReplay {
  readonly #options: RunReplayOptions;
  readonly #prepared: PreparedRun;

  constructor(options: RunReplayOptions) {
    this.#options = options;
    this.#prepared = this.#prepare(options.seed);
  }

  /** The newest saved boundary up to a generation; null if the run must be trained from its beginning. */
  startOf(generation: number): ReplayStart | null {
    return this.#options.saved.findLast((each) => each.generation <= generation) ?? null;
  }

  /**
   * The boundary at a generation's end.
   * @param from The boundary to train from; null for the run's beginning.
   * @param onReport Receives the generations in between.
   */
  async boundary(
    generation: number,
    from: ReplayStart | null,
    onReport?: (report: GenerationReport) => void,
  ): Promise<KeptBoundary> {
    const { plan } = this.#prepared;
    const start = await this.#start(from);
    const state =
      start.generation === generation
        ? start
        : await this.#train(start, generation, {
            ...this.#prepared,
            plan: { ...plan, ...PLAIN },
            observer: { on: (event) => event.event === "generation" && onReport?.(event) },
          });
    const { definition, seed, manifest } = this.#options;
    const files = encodeRun(definition.files, { state, seed, manifest });
    return { generation, name: `generation ${generation}`, files };
  }

  /**
   * Trains one member from a boundary on, while the others rest.
   * @returns the reports of its generations.
   */
  async branch(
    { files, ...place }: KeptBoundary,
    { slot, isUndone, seed, generations }: Branch,
    onReport: () => void = () => undefined,
  ): Promise<readonly [GenerationReport, ...GenerationReport[]]> {
    const start = await this.#start({ ...place, read: async () => decodeRun(files, place.name) });
    const others = [...start.members.keys()].filter((other) => other !== slot);
    const { selection, mutation } = this.#prepared;
    const { plan, workload } = this.#prepare(seed);
    const reports: GenerationReport[] = [];
    // Before the first generation, members mutate without selection.
    const state = start.started ? start : { ...start, resting: others };
    const lone = selection && new LoneSelection(selection, slot, isUndone);
    await this.#train(
      state,
      start.generation + generations,
      {
        plan: { ...plan, ...PLAIN, tie_episodes: 0, evolve_every: Number.POSITIVE_INFINITY },
        workload,
        selection: lone,
        together: () => lone?.together ?? start.members.length,
        mutation: isUndone && !start.started ? null : mutation,
        observer: {
          on: (event) => {
            if (event.event !== "generation") return;
            reports.push(event);
            onReport();
          },
        },
      },
      true,
    );
    const [first, ...rest] = reports;
    if (!first) throw new Error("the branch trained no generation");
    return [first, ...rest];
  }

  #prepare(seed: number): PreparedRun {
    const { definition, manifest, population, recipe } = this.#options;
    return definition.runs.prepare(manifest, seed, population, { recipe });
  }

  async #start(from: ReplayStart | null): Promise<RunState> {
    const { definition, manifest, seed, store } = this.#options;
    const { state } = await startOf({
      definition,
      manifest,
      seed,
      store: () => store,
      saved: from ? [from] : [],
    });
    return state;
  }

  async #train(
    start: RunState,
    generation: number,
    parts: Omit<RunParts, "executor">,
    alone = false,
  ): Promise<RunState> {
    const { signal, makeExecutor } = this.#options;
    signal?.throwIfAborted();
    const executor = makeExecutor(alone);
    const run = new TrainingRun(start, {
      ...parts,
      executor,
      atBoundary: async (state) => {
        if (state.generation >= generation) run.stop();
      },
    });
    const end = (): void => {
      run.stop();
      // A worker that is still starting does not receive an abort.
      void executor.close();
    };
    signal?.addEventListener("abort", end);
    try {
      await run.train();
    } finally {
      signal?.removeEventListener("abort", end);
      await executor.close();
      signal?.throwIfAborted();
    }
    return run.state;
  }
}

/** A selection after which one member trains alone, on request as a copy of its parent that nothing has changed. */
class LoneSelection implements SelectionStrategy {
  readonly #selection: SelectionStrategy;
  readonly #slot: number;
  readonly #isUndone: boolean;
  /** Members that train in the run's own next generation; null before it is chosen. */
  together: number | null = null;

  constructor(selection: SelectionStrategy, slot: number, isUndone: boolean) {
    this.#selection = selection;
    this.#slot = slot;
    this.#isUndone = isUndone;
  }

  guarded(...args: Parameters<NonNullable<SelectionStrategy["guarded"]>>): readonly number[] {
    return this.#selection.guarded?.(...args) ?? [];
  }

  select<M extends Evolvable<M>>(population: readonly M[], options?: SelectionOptions): SelectionResult<M> {
    const next = this.#selection.select(population, options);
    this.together = population.length - (next.resting?.length ?? 0);
    const resting = [...population.keys()].filter((slot) => slot !== this.#slot);
    if (!this.#isUndone) return { ...next, resting };
    const member = next.population[this.#slot];
    const parent = population.find(({ index }) => index === (member?.parent ?? member?.index));
    // Selection may move hyperparameters of copies itself.
    for (const [name, value] of Object.entries(parent?.hyperparameters ?? {}))
      if (member && value !== null && !Object.is(member.hyperparameters[name], value))
        member.setHyperparameter(name, value);
    return { ...next, resting, indices: [], labels: new Map() };
  }
}
