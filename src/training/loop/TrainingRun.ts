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
import { fitnessError, isFitter, withFitness } from "../../evolution/members.ts";
import { EvolutionTally } from "../../tracking/history.ts";
import type {
  EndReport,
  EvolutionCounter,
  EvolutionReport,
  GenerationReport,
  TrainingObserver,
} from "../../tracking/observer.ts";
import { isOver, plateauAfter } from "./earlyStopping.ts";
import { type Executor, failureOf, type TurnOutcome } from "./executor.ts";
import { Gate, StoppedError } from "./Gate.ts";
import { GenerationProgress } from "./GenerationProgress.ts";
import { expectedSteps, hasSteps, type LoopPlan } from "./LoopPlan.ts";
import { type MemberChange, memberChanges, memberReport, turnTime } from "./memberReport.ts";
import { checkSteering, type SteeringAction, type SteeringEntry, SteeringScript } from "./SteeringScript.ts";
import { judged, settleTies } from "./settleTies.ts";
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

/** The best member of a run, and its mean return in the final evaluation. */
export interface Champion<A extends Member = Member> {
  readonly agent: A;
  readonly fitness: number;
  readonly episodes: number;
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
  /** Reports of the generations before the start, counted (default: none). */
  readonly tally?: EvolutionCounter;
  /** Whether reports have single training episodes (default: only their means). */
  readonly tells_episodes?: true;
  /** Members that trained together in the generations that are trained again here (default: those that train). */
  readonly together?: () => number;
  /** Called at every generation boundary, before the next generation starts. */
  atBoundary?(state: RunState<K>, report: GenerationReport): Promise<void>;
}

/** The start of a generation. */
interface NextGeneration<K extends Kinds> {
  readonly members: readonly K["agent"][];
  readonly lineage: readonly LineageEvent[];
  readonly resting: readonly number[];
}

/** Number of evaluations that early stopping averages. */
const TARGET_WINDOW = 10;

export class TrainingRun<K extends Kinds = Kinds> {
  readonly #parts: RunParts<K>;
  #state: RunState<K>;
  readonly #gate = new Gate();
  #ended = false;
  #news: readonly K["news"][] = [];
  /** Members of the current generation. */
  #training: readonly K["agent"][];
  readonly #steering: SteeringScript;
  readonly #tally: EvolutionCounter;
  #champion: Champion<K["agent"]> | null = null;

  constructor(state: RunState<K>, parts: RunParts<K>) {
    this.#state = state;
    this.#training = state.members;
    this.#parts = parts;
    this.#steering = parts.steering ?? new SteeringScript();
    this.#tally = parts.tally ?? new EvolutionTally();
  }

  /** The state at the last generation boundary: evaluated members, before selection and mutation. */
  get state(): RunState<K> {
    return this.#state;
  }

  /** The champion of an ended run, with its final evaluation; null if there was none. */
  get champion(): Champion<K["agent"]> | null {
    return this.#champion;
  }

  /**
   * The member that the run delivers: the best of its last generation, and, when it has ended and has final
   * evaluations, its champion. If it was stopped before those, that is the champion so far.
   */
  get delivered(): K["agent"] | null {
    const { plan, workload } = this.#parts;
    const { elite, champion } = this.#state;
    const crowns = (plan.final_episodes ?? 0) > 0 && workload.evaluation !== undefined;
    return (this.#ended && crowns && champion) || elite;
  }

  /**
   * Adds an action, which takes effect at the end of the current generation.
   * @throws RangeError with the reason that the action is not possible.
   */
  steer(action: SteeringAction): SteeringEntry {
    const { workload, mutation } = this.#parts;
    const [first] = this.#training;
    const generation = this.#state.generation + 1;
    const checked = checkSteering(action, {
      training: this.#training,
      hp_config: first ? workload.evolved(first).hp_config : null,
      canMutate: mutation !== null,
      pending: new Set(this.#steering.at(generation).map(({ position }) => position)),
    });
    const entry = { generation, action: checked };
    this.#steering.add(entry);
    return entry;
  }

  pause(): void {
    this.#gate.pause();
  }

  resume(): void {
    this.#gate.resume();
  }

  /** Ends the run at its last generation boundary. */
  stop(): void {
    this.#gate.abort();
  }

  /**
   * Trains until the run ends.
   * @throws Error naming the member, when every member failed, or one failed and the run has no selection and
   *   mutation to replace it. Its `cause` is the original error, if it was thrown in this thread.
   *   DivergedError, from any thread, for a member whose numbers are no longer finite.
   */
  async train(): Promise<EndReport> {
    const { executor, workload } = this.#parts;
    await executor.open(workload.setup(this.#state), this.#gate);
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
    const reason = (): EndReport["reason"] | null => {
      if (this.#targetReached()) return "target";
      if (isOver(this.#state.plateau, plan.early_stopping)) return "early_stopping";
      if (hasSteps(plan, this.#state.members)) return "max_steps";
      return late() ? "max_wall_seconds" : null;
    };
    for (;;) {
      const reached = reason();
      if (reached) {
        // A run that was resumed at its end, or whose time ended after the last boundary.
        if (!this.#champion) await this.#crown();
        return this.#end(reached);
      }
      if (this.#gate.isAborted) return this.#end("stopped");
      const { members: before } = this.#state;
      const next = this.#next();
      this.#training = next.members;
      if (next.resting.length > 0) this.#state = { ...this.#state, resting: next.resting };
      const changes = memberChanges({ before, ...next, isFirst }, this.#parts.workload);
      isFirst = false;
      const report = await this.#generation(next, changes);
      if (reason()) await this.#crown();
      await this.#parts.atBoundary?.(this.#state, report);
    }
  }

  async #generation(
    { members, lineage }: NextGeneration<K>,
    changes: readonly MemberChange[],
  ): Promise<GenerationReport> {
    const { plan, executor, observer, workload, selection, tells_episodes, together } = this.#parts;
    const generation = this.#state.generation + 1;
    const { resting = [] } = this.#state;
    const progress = new GenerationProgress(members);
    const startStep = globalStep(this.#state);
    const activeIn = (ahead: number): number =>
      Math.min(members.length - resting.length, selection?.activeIn?.(generation + ahead) ?? members.length);
    const stepsOf = workload.generationSteps?.bind(workload);
    const total_steps = expectedSteps(plan, this.#state.members, stepsOf, activeIn);
    const active = [...members.keys()].filter((slot) => !resting.includes(slot));
    const turns = active.map((slot) => {
      // A position of `members`.
      const agent = members[slot] as K["agent"];
      const turn = workload.turn(agent, slot, this.#state, generation);
      const more = { ...(tells_episodes && { tells_episodes }), ...(together && { together: together() }) };
      return { agent, turn: { ...turn, ...more } };
    });
    const ended = await executor.generation(turns, this.#news, (slice) => {
      progress.add(slice);
      if (progress.due())
        observer.on({ event: "progress", generation, total_steps, ...progress.report(startStep) });
    });
    const trained: (TurnOutcome<K> | null)[] = members.map(() => null);
    for (const [i, outcome] of ended.entries()) trained[active[i] as number] = outcome;
    const settled = await settleTies(trained, this.#state, this.#parts);
    const outcomes = judged(settled, this.#state, workload);
    const results = this.#accept(members, outcomes);
    for (const event of workload.events?.(results, generation) ?? []) observer.on(event);
    const seconds = progress.seconds();
    const reports = results.map((result, slot) => {
      const subpopulation = selection?.subpopulationOf?.(slot) ?? null;
      // `#accept` sets a member for every result.
      const before = this.#state.members[slot] as K["agent"];
      const outcome = outcomes[slot];
      const time = outcome?.ok ? turnTime(outcome) : {};
      const change = changes[slot] ?? {};
      const population = members.length;
      const taken = { before, result, subpopulation, change, time, population };
      return memberReport(slot, taken, workload);
    });
    const fitnesses = reports.map((r) => r.fitness);
    // Members that were not evaluated in this generation keep their last fitness.
    const { members: now, champion = null } = this.#state;
    const scores = active.map((slot) => this.#scoreOf(now[slot] as K["agent"]));
    const place = bestOf(scores);
    const elite = active[place] ?? 0;
    // Without any fitness, the best is the one that had the best.
    const best = (Number.isNaN(scores[place]) ? champion : null) ?? now[elite] ?? null;
    const league = workload.league?.(this.#state, results) ?? null;
    // A member that was not evaluated in this generation has learnt since its fitness was measured. Ratings of different
    // generations are against different opponents, so a league's champion is that of the last one.
    const isKept =
      best &&
      champion &&
      !Number.isNaN(this.#scoreOf(champion)) &&
      (Number.isNaN(fitnesses[elite]) ||
        (league === null && isFitter(this.#scoreOf(champion), this.#scoreOf(best))));
    const errors = results.map((result) => fitnessError(result?.evaluation));
    const guarded = selection?.guarded?.(now, errors, { generation, resting }) ?? [];
    const { early_stopping } = plan;
    const isEvaluated = fitnesses.some((fitness) => !Number.isNaN(fitness));
    const plateau =
      early_stopping && isEvaluated
        ? plateauAfter(this.#state.plateau, scores[place] ?? Number.NaN, early_stopping)
        : undefined;
    const position: Omit<LoopState<K["agent"]>, "members"> = {
      ...(plateau && { plateau }),
      generation,
      ...((guarded.length > 0 || this.#state.guarded) && { guarded }),
      elite: best,
      champion: isKept ? champion : best,
      evolution_due: generation % (plan.evolve_every ?? 1) === 0,
      started: true,
      device: executor.device,
    };
    this.#state = { ...this.#state, ...executor.measured, ...position };
    this.#tally.add({ generation, fitnesses, members: reports, lineage });
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
      ...(league && { league }),
      evolution: this.#evolution(),
    };
    observer.on(report);
    return report;
  }

  /** What the reports so far say of the run's evolution. */
  #evolution(): EvolutionReport {
    const [first] = this.#state.members;
    const { hp_config = null } = first ? this.#parts.workload.evolved(first) : {};
    return this.#tally.report(hp_config?.parameters);
  }

  /** The fitness that ranks a member. */
  #scoreOf({ fitness }: K["agent"]): number {
    return fitnessOf(fitness, this.#parts.plan.fitness_window);
  }

  /**
   * Applies the outcomes of the turns. A member that failed keeps its previous state, with fitness NaN; one that
   * rests, which has no outcome, keeps its state.
   */
  #accept(
    trained: readonly K["agent"][],
    outcomes: readonly (TurnOutcome<K> | null)[],
  ): readonly (K["result"] | null)[] {
    const { observer, selection, mutation, workload } = this.#parts;
    const results = outcomes.map((o) => (o?.ok ? o.result : null));
    const fate = selection?.activeIn
      ? "takes no more turns"
      : selection?.subpopulationOf
        ? "continues from its previous state until its subpopulation evolves"
        : "is replaced by a copy of a better member";
    for (const outcome of outcomes) {
      if (outcome === null || outcome.ok) continue;
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
      if (outcomes[slot] === null) return before;
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
    const { evolution_due, members, resting = [] } = this.#state;
    if (target === null || !evolution_due) return false;
    return members.every(
      ({ fitness }, slot) => resting.includes(slot) || fitnessOf(fitness, TARGET_WINDOW) > target,
    );
  }

  /** The members that train in the next generation. */
  #next(): NextGeneration<K> {
    const { selection, mutation, workload } = this.#parts;
    const { members, generation, started, evolution_due, resting = [], guarded = [] } = this.#state;
    const population = members.map((m) => workload.evolved(m));
    const before = recordHyperparameters(population);
    const evolved = (next: readonly Evolved<K["agent"]>[]): NextGeneration<K> => ({
      members: next.map((m) => m.state),
      lineage: lineageEvents(generation, next, before),
      resting,
    });
    if (!started) {
      const spared = selection?.guarded?.(population, []) ?? [];
      const indices = spared.length > 0 ? [...members.keys()].filter((slot) => !spared.includes(slot)) : null;
      mutation?.mutation(population, { preTraining: true, generation, indices });
      return evolved(population);
    }
    const actions = this.#steering.at(generation);
    if (!evolution_due || !selection || !mutation)
      return actions.length === 0
        ? { members, lineage: [], resting }
        : evolved(this.#steered(population, population));
    const next = selection.select(population, { generation, resting, guarded });
    if (next.population.length !== members.length) {
      throw new RangeError(
        `selection_strategy: chose ${next.population.length} members, allowed ${members.length} (the population's size)`,
      );
    }
    const { indices, labels } = next;
    mutation.mutation(next.population, { generation, indices, ...(labels && { labels }) });
    return { ...evolved(this.#steered(population, next.population)), resting: next.resting ?? [] };
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
      actions: this.#steering.at(generation).map(({ action }) => action),
      protected: this.#steering.protectedAt(generation),
      elite: elite?.index ?? null,
      mutation: this.#parts.mutation,
      generation,
    });
  }

  /**
   * Evaluates the champion so far and the active members once more; the best of them becomes both elite and
   * champion.
   */
  async #crown(): Promise<void> {
    const { plan, workload, executor, observer } = this.#parts;
    const { members, champion, resting = [] } = this.#state;
    const episodes = plan.final_episodes ?? 0;
    if (!champion || episodes === 0 || !workload.evaluation || this.#gate.isAborted) return;
    const active = members.filter((_member, slot) => !resting.includes(slot));
    const finals = active.filter((m) => m.index !== champion.index || m.steps !== champion.steps);
    const candidates = [champion, ...finals.filter((m) => !Number.isNaN(this.#scoreOf(m)))];
    const turns = candidates.map((agent, slot) => ({
      agent,
      turn: workload.evaluation?.(agent, slot, this.#state, episodes) as K["turn"],
    }));
    const evaluated = await executor
      .generation(turns, this.#news, () => undefined)
      .catch((error: unknown) => {
        // Stopped here, a run has trained to its end all the same.
        if (error instanceof StoppedError) return [];
        throw error;
      });
    const outcomes = judged(evaluated, this.#state, workload);
    const fitnesses = outcomes.map((outcome) => (outcome?.ok ? outcome.result.fitness : Number.NaN));
    if (fitnesses.every(Number.isNaN)) return;
    const place = bestOf(fitnesses);
    const [agent, fitness] = [candidates[place] ?? champion, fitnesses[place] ?? Number.NaN];
    this.#champion = { agent, fitness, episodes };
    this.#state = { ...this.#state, elite: agent, champion: agent };
    const played = outcomes
      .map((outcome) => (outcome?.ok ? (outcome.result.evaluation?.returns.length ?? episodes) : 0))
      .reduce((sum, count) => sum + count, 0);
    this.#tally.addEpisodes(played);
    const { index, steps } = agent;
    const told = { index, steps, fitness, episodes, candidates: candidates.length, played };
    observer.on({ event: "champion", ...told });
  }

  #end(reason: EndReport["reason"]): EndReport {
    const { observer } = this.#parts;
    this.#ended = true;
    const fitnesses = this.#state.members.map((m) => m.fitness.at(-1) ?? Number.NaN);
    const evolution = this.#evolution();
    const report: EndReport = {
      event: "end",
      reason,
      global_step: globalStep(this.#state),
      fitnesses,
      evolution,
    };
    observer.on(report);
    return report;
  }
}

/** Position of the largest number, or of the first among equals; NaN ranks last. */
export const bestOf = (fitnesses: readonly number[]): number => ranking(fitnesses)[0] ?? 0;
