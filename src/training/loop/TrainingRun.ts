/**
 * The loop of evolutionary training: every member takes its turn, all are evaluated, then selection and
 * mutation create the next generation. The workload defines what a turn is.
 */

import {
  fitnessOf,
  type LineageEvent,
  lineageEvents,
  type Mutations,
  ranking,
  recordHyperparameters,
  type SelectionStrategy,
} from "../../evolution/index.ts";
import { DivergedError, TimeoutError, withFitness } from "../../evolution/members.ts";
import type { EndReport, GenerationReport, TrainingObserver } from "../../tracking/observer.ts";
import type { Executor, TurnOutcome } from "./executor.ts";
import { StoppedError } from "./Gate.ts";
import { GenerationProgress } from "./GenerationProgress.ts";
import { type MemberChange, memberChanges, memberReport } from "./memberReport.ts";
import { checkSteering, type SteeringAction, type SteeringEntry, SteeringScript } from "./SteeringScript.ts";
import { steeredPopulation } from "./steeredPopulation.ts";
import {
  type Evolved,
  globalStep,
  type Kinds,
  type LoopState,
  type Member,
  type RunState,
  type Workload,
} from "./Workload.ts";

/** Conditions that end a run. */
export interface LoopPlan {
  /** The run ends at the first generation boundary where a member has taken this many steps. */
  readonly max_steps: number;
  /** Whether `max_steps` counts each member's steps or those of the whole population (default: "member"). */
  readonly max_steps_of?: "member" | "population";
  /** The run ends when every member's mean fitness is above this; `null` means no target. */
  readonly target: number | null;
  /**
   * The run ends at the first generation boundary after this many seconds of training (default: `null`, no
   * limit).
   */
  readonly max_wall_seconds?: number | null;
  /** Number of generations per selection and mutation (default: 1). */
  readonly evolve_every?: number;
  /**
   * If given, replaces `max_steps`: the run ends at the first generation boundary where this returns true.
   */
  readonly finished?: (members: readonly Member[]) => boolean;
  /** The unit of `checkpoint_steps` (default: each member's steps). */
  readonly checkpoints_by?: "generations";
}

/** Whether the members have reached the step budget of the run. */
const hasSteps = ({ max_steps, max_steps_of, finished }: LoopPlan, members: readonly Member[]): boolean => {
  if (finished) return finished(members);
  return max_steps_of === "population"
    ? members.reduce((sum, { steps }) => sum + steps, 0) >= max_steps
    : members.some(({ steps }) => steps >= max_steps);
};

/** Total steps over all members when the step budget ends the run. */
export const totalSteps = ({ max_steps, max_steps_of }: LoopPlan, members: number): number =>
  max_steps_of === "population" ? max_steps : max_steps * members;

/**
 * Total steps over all members when the step budget ends the run. Only whole generations are trained, so the
 * total exceeds `max_steps` unless that is a multiple of a generation's steps.
 * @param generationSteps Steps that a member takes in a generation (default: 1, so that the run ends exactly
 *   at its limit).
 */
export function expectedSteps<A extends Pick<Member, "steps">>(
  { max_steps, max_steps_of }: Pick<LoopPlan, "max_steps" | "max_steps_of">,
  members: readonly A[],
  generationSteps: (member: A) => number = () => 1,
): number {
  const [first, ...others] = members;
  if (!first) return 0;
  const taken = members.reduce((sum, { steps }) => sum + steps, 0);
  // The member with the most steps ends the run.
  const furthest = others.reduce((a, b) => (b.steps > a.steps ? b : a), first);
  const steps = Math.max(1, generationSteps(furthest));
  const together = steps * members.length;
  const left =
    max_steps_of === "population" ? (max_steps - taken) / together : (max_steps - furthest.steps) / steps;
  return taken + Math.max(0, Math.ceil(left)) * together;
}

export interface RunParts<K extends Kinds = Kinds> {
  readonly plan: LoopPlan;
  readonly workload: Workload<K>;
  readonly executor: Executor<K>;
  readonly observer: TrainingObserver;
  readonly selection: SelectionStrategy | null;
  readonly mutation: Mutations | null;
  /** The user's past and pending changes (default: none). */
  readonly steering?: SteeringScript;
  /** Called at every generation boundary, before the next generation starts. */
  atBoundary?(state: RunState<K>, report: GenerationReport): Promise<void>;
}

/** The start of a generation. */
interface NextGeneration<K extends Kinds> {
  readonly members: readonly K["agent"][];
  readonly lineage: readonly LineageEvent[];
}

/** Number of evaluations that early stopping averages. */
const TARGET_WINDOW = 10;

export class TrainingRun<K extends Kinds = Kinds> {
  readonly #parts: RunParts<K>;
  #state: RunState<K>;
  #stopped = false;
  #news: readonly K["news"][] = [];
  /** Members of the current generation. */
  #training: readonly K["agent"][];
  readonly #steering: SteeringScript;

  constructor(state: RunState<K>, parts: RunParts<K>) {
    this.#state = state;
    this.#training = state.members;
    this.#parts = parts;
    this.#steering = parts.steering ?? new SteeringScript();
  }

  /** The state at the last generation boundary: evaluated members, before selection and mutation. */
  get state(): RunState<K> {
    return this.#state;
  }

  /**
   * Adds an action, which takes effect at the end of the current generation.
   * @throws RangeError with the reason that the action is not possible.
   */
  steer(action: SteeringAction): SteeringEntry {
    const { workload, mutation } = this.#parts;
    const [first] = this.#training;
    const checked = checkSteering(action, {
      training: this.#training,
      hp_config: first ? workload.evolved(first).hp_config : null,
      canMutate: mutation !== null,
    });
    const entry = { generation: this.#state.generation + 1, action: checked };
    this.#steering.add(entry);
    return entry;
  }

  pause(): void {
    this.#parts.executor.pause();
  }

  resume(): void {
    this.#parts.executor.resume();
  }

  /** Ends the run at its last generation boundary. */
  stop(): void {
    this.#stopped = true;
    this.#parts.executor.abort();
  }

  /**
   * Trains until the run ends.
   * @throws Error naming the member, when every member failed, or one failed and the run has no selection and
   *   mutation to replace it. Its `cause` is the original error, if it was thrown in this thread.
   *   DivergedError, from any thread, for a member whose numbers are no longer finite.
   */
  async train(): Promise<EndReport> {
    const { executor, workload } = this.#parts;
    await executor.open(workload.setup(this.#state));
    try {
      return await this.#generations();
    } catch (error) {
      if (error instanceof StoppedError) return this.#end("stopped");
      throw error;
    }
  }

  async #generations(): Promise<EndReport> {
    const { plan } = this.#parts;
    const start = performance.now();
    let isFirst = true;
    const late = (): boolean =>
      typeof plan.max_wall_seconds === "number" && performance.now() - start >= 1000 * plan.max_wall_seconds;
    for (;;) {
      if (this.#targetReached()) return this.#end("target");
      if (hasSteps(plan, this.#state.members)) return this.#end("max_steps");
      if (late()) return this.#end("max_wall_seconds");
      if (this.#stopped) return this.#end("stopped");
      const { members: before } = this.#state;
      const next = this.#next();
      this.#training = next.members;
      const changes = memberChanges({ before, ...next, isFirst }, this.#parts.workload);
      isFirst = false;
      const report = await this.#generation(next, changes);
      await this.#parts.atBoundary?.(this.#state, report);
    }
  }

  async #generation(
    { members, lineage }: NextGeneration<K>,
    changes: readonly MemberChange[],
  ): Promise<GenerationReport> {
    const { plan, executor, observer, workload } = this.#parts;
    const generation = this.#state.generation + 1;
    const progress = new GenerationProgress(members);
    const startStep = globalStep(this.#state);
    const total_steps = expectedSteps(plan, this.#state.members, workload.generationSteps?.bind(workload));
    const outcomes = await executor.generation(
      members.map((agent, slot) => ({ agent, turn: workload.turn(agent, slot, this.#state, generation) })),
      this.#news,
      (slice) => {
        progress.add(slice);
        if (progress.due())
          observer.on({ event: "progress", generation, total_steps, ...progress.report(startStep) });
      },
    );
    const results = this.#accept(members, outcomes);
    for (const event of workload.events?.(results, generation) ?? []) observer.on(event);
    const seconds = progress.seconds();
    const reports = results.map((result, slot) => {
      const subpopulation = this.#parts.selection?.subpopulationOf?.(slot) ?? null;
      // `#accept` sets a member for every result.
      const before = this.#state.members[slot] as K["agent"];
      const outcome = outcomes[slot];
      const milliseconds = outcome?.ok ? (outcome.milliseconds ?? null) : null;
      const change = changes[slot] ?? {};
      return memberReport(slot, { before, result, subpopulation, change, milliseconds }, workload);
    });
    const fitnesses = reports.map((r) => r.fitness);
    // Members that were not evaluated in this generation keep their last fitness.
    const elite = bestOf(this.#state.members.map(({ fitness }) => fitness.at(-1) ?? Number.NaN));
    const position: Omit<LoopState<K["agent"]>, "members"> = {
      generation,
      elite: this.#state.members[elite] ?? null,
      evolution_due: generation % (plan.evolve_every ?? 1) === 0,
      started: true,
      device: executor.device,
    };
    this.#state = { ...this.#state, ...executor.measured, ...position };
    const report: GenerationReport = {
      event: "generation",
      generation,
      global_step: globalStep(this.#state),
      fitnesses,
      elite,
      members: reports,
      lineage,
      seconds,
      ...progress.rates(),
      at: Date.now(),
    };
    observer.on(report);
    return report;
  }

  /** Applies the outcomes of the turns. A member that failed keeps its previous state, with fitness NaN. */
  #accept(
    trained: readonly K["agent"][],
    outcomes: readonly TurnOutcome<K>[],
  ): readonly (K["result"] | null)[] {
    const { observer, selection, mutation, workload } = this.#parts;
    const results = outcomes.map((o) => (o.ok ? o.result : null));
    const fate = selection?.subpopulationOf
      ? "continues from its previous state until its subpopulation evolves"
      : "is replaced by a copy of a better member";
    for (const outcome of outcomes) {
      if (outcome.ok) continue;
      const { message } = outcome;
      if (!selection || !mutation || results.every((r) => r === null)) throw failureOf(outcome);
      observer.on({
        event: "warning",
        message: `${message}. It does not take part in this generation's selection and ${fate}.`,
      });
    }
    // A failed member is credited with the steps of the others; otherwise the run might never end.
    const steps = results.find((r) => r !== null)?.env_steps ?? 0;
    const members = trained.map((before, slot) => {
      const failed = { steps: before.steps + steps, fitness: withFitness(before.fitness, Number.NaN) };
      return results[slot]?.agent ?? { ...before, ...failed };
    });
    const { shared, news } = workload.gather(this.#state, results);
    this.#news = news;
    this.#state = { ...this.#state, ...shared, members };
    return results;
  }

  /** Considers only members evaluated in this run, not those that the caller passed in. */
  #targetReached(): boolean {
    const { target } = this.#parts.plan;
    const { evolution_due, members } = this.#state;
    if (target === null || !evolution_due) return false;
    return members.every(({ fitness }) => fitnessOf(fitness, TARGET_WINDOW) > target);
  }

  /** The members that train in the next generation. */
  #next(): NextGeneration<K> {
    const { selection, mutation, workload } = this.#parts;
    const { members, generation, started, evolution_due } = this.#state;
    const population = members.map((m) => workload.evolved(m));
    const before = recordHyperparameters(population);
    const evolved = (next: readonly Evolved<K["agent"]>[]): NextGeneration<K> => ({
      members: next.map((m) => m.state),
      lineage: lineageEvents(generation, next, before),
    });
    if (!started) {
      mutation?.mutation(population, { preTraining: true, generation });
      return evolved(population);
    }
    const actions = this.#steering.at(generation);
    if (!evolution_due || !selection || !mutation)
      return actions.length === 0 ? { members, lineage: [] } : evolved(this.#steered(population, population));
    const next = selection.select(population, { generation });
    if (next.population.length !== members.length) {
      throw new RangeError(
        `selection_strategy: chose ${next.population.length} members, allowed ${members.length} (the population's size)`,
      );
    }
    mutation.mutation(next.population, { generation, indices: next.indices });
    return evolved(this.#steered(population, next.population));
  }

  /** Applies the user's changes to the next generation. */
  #steered(
    members: readonly Evolved<K["agent"]>[],
    next: readonly Evolved<K["agent"]>[],
  ): readonly Evolved<K["agent"]>[] {
    const { generation, elite } = this.#state;
    return steeredPopulation({
      members,
      next,
      actions: this.#steering.at(generation),
      protected: this.#steering.protectedAt(generation),
      elite: elite?.index ?? null,
      mutation: this.#parts.mutation,
      generation,
    });
  }

  #end(reason: EndReport["reason"]): EndReport {
    const { observer } = this.#parts;
    const fitnesses = this.#state.members.map((m) => m.fitness.at(-1) ?? Number.NaN);
    const report: EndReport = { event: "end", reason, global_step: globalStep(this.#state), fitnesses };
    observer.on(report);
    return report;
  }
}

/**
 * The error of a run that cannot continue. Errors from other threads arrive as messages only, so they are
 * recreated.
 */
function failureOf(failed: Extract<TurnOutcome, { ok: false }>): Error {
  const { slot, message, diverged, timed_out, cause } = failed;
  if (cause instanceof DivergedError) return cause;
  if (diverged) return new DivergedError(slot, message);
  const options = cause === undefined ? undefined : { cause };
  return timed_out ? new TimeoutError(message, options) : new Error(message, options);
}

/** Position of the largest number, or of the first among equals; NaN ranks last. */
export const bestOf = (fitnesses: readonly number[]): number => ranking(fitnesses)[0] ?? 0;
