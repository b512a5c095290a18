/** One run from its start to its end: trains, pauses, is steered, and hands every boundary to its sink. */

import type { GenerationReport, TrainingEvent, TrainingObserver } from "../../tracking/observer.ts";
import type { Executor } from "../loop/executor.ts";
import type { SteeringScript } from "../loop/SteeringScript.ts";
import { type RunParts, TrainingRun } from "../loop/TrainingRun.ts";
import type { Kinds, RunState } from "../loop/Workload.ts";
import type { PreparedRun, RunFiles } from "../loop/WorkloadDefinition.ts";
import { Boundary, bestFitness, type Ending, type RunSink } from "./RunSink.ts";

/** What a session trains, and where. */
export interface SessionDefinition<K extends Kinds = Kinds>
  extends Pick<PreparedRun<K>, "plan" | "workload" | "selection" | "mutation">,
    Pick<RunParts, "tally" | "tells_episodes"> {
  readonly files: RunFiles<K>;
  /** Creates the executor, whose notices become warnings of the run. */
  readonly makeExecutor: (onNotice: (message: string) => void) => Executor<K>;
  /** Receives every event, before the sink. */
  readonly observer?: TrainingObserver;
  /** The user's past and pending changes (default: none). */
  readonly steering?: SteeringScript;
  /** Called when training failed, before anything is closed. */
  readonly onFailed?: () => void;
}

/** One training of a run, from a state to its end: it drives the loop and writes to a sink. */
export class RunSession<K extends Kinds = Kinds> {
  readonly #definition: SessionDefinition<K>;
  readonly #sink: RunSink<K>;
  /** Where it trains; the session closes it. */
  readonly executor: Executor<K>;
  /** The loop, which is paused, steered and stopped. */
  readonly run: TrainingRun<K>;
  #fitness: number | null = null;

  /** @param start The state of the last boundary, or before the first generation. */
  constructor(definition: SessionDefinition<K>, start: RunState<K>, sink: RunSink<K>) {
    this.#definition = definition;
    this.#sink = sink;
    this.executor = definition.makeExecutor((message) => this.#hear({ event: "warning", message }));
    this.run = new TrainingRun(start, {
      ...definition,
      ...(sink.tells_episodes && { tells_episodes: true }),
      executor: this.executor,
      observer: { on: (event) => this.#hear(event) },
      atBoundary: async () => this.#sink.boundary?.(this.last),
    });
  }

  /** The last generation boundary. */
  get last(): Boundary<K> {
    return new Boundary(this.run.state, this.#fitness, this.run.delivered);
  }

  /**
   * Trains until the run ends or fails, and closes the sink. To be called once.
   * @throws the sink's errors; those of training are in the result.
   */
  async train(): Promise<Ending> {
    let ending: Ending;
    try {
      ending = { end: await this.run.train() };
    } catch (error) {
      ending = { error };
      this.#definition.onFailed?.();
    }
    try {
      await this.executor.close();
    } finally {
      await this.#sink.close?.(this.last, ending);
    }
    return ending;
  }

  #hear(event: TrainingEvent): void {
    this.#definition.observer?.on(event);
    if (event.event === "generation") this.#note(event);
    this.#sink.on?.(event);
  }

  #note({ fitnesses }: GenerationReport): void {
    this.#fitness = bestFitness(fitnesses);
    if (!this.#sink.keepElite) return;
    const { last } = this;
    const policy = last.state.elite && this.#definition.files.policyOf?.(last.state.elite);
    if (policy) this.#sink.keepElite(policy, last);
  }
}
