/**
 * The loop of evolutionary training: every member collects and learns, all are evaluated, then selection
 * and mutation make the next generation. Off-policy and on-policy algorithms differ only in their turns.
 */
import {
  fitnessOf,
  type HyperparameterConfig,
  type LineageEvent,
  lineageEvents,
  type Mutations,
  ranking,
  recordHyperparameters,
  type SelectionStrategy,
} from "../../evolution/index.ts";
import { findAlgorithm } from "../../rl/algorithms/registry.ts";
import type { EnvironmentOptions } from "../../rl/environments/index.ts";
import type { AgentState } from "../../rl/member/agentState.ts";
import { EvolvableAgent } from "../../rl/member/EvolvableAgent.ts";
import { DivergedError } from "../../rl/runtime/divergence.ts";
import {
  forgetRows,
  noPriorities,
  type Priorities,
  type TurnPriorities,
  visiblePriorities,
} from "../../rl/runtime/priorities.ts";
import { visiblePart } from "../../rl/runtime/replaySegments.ts";
import type { OffPolicyTurn, Turn, TurnResult } from "../../rl/runtime/turn.ts";
import { vectorSteps, withFitness } from "../../rl/runtime/turn.ts";
import { type Executor, StoppedError, type TurnOutcome, type Written } from "./executor.ts";
import { memberReport } from "./memberReport.ts";
import type { EndReport, GenerationReport, MemberReport, TrainingObserver } from "./observer.ts";
import { allWritten, globalStep, type RunState, storeWritten } from "./runState.ts";
import { Throughput } from "./Throughput.ts";

/** Rhythm and limits of a run. */
export interface RunPlan {
  /** Id of a registered environment, or a name for the caller's own. */
  readonly environment: string;
  /** Options of a registered environment beside its name; null for none. */
  readonly env_config: EnvironmentOptions | null;
  readonly num_envs: number;
  readonly seed: number;
  /** The run ends at the first generation boundary where a member has taken so many environment steps of its own. */
  readonly max_steps: number;
  readonly evo_steps: number;
  readonly eval_loop: number;
  readonly eval_steps: number | null;
  readonly target: number | null;
  /** Off-policy only. */
  readonly off_policy: {
    readonly learning_delay: number;
    readonly eps_end: number;
    readonly eps_decay: number;
    readonly memory: {
      /** Steps that a transition spans. */
      readonly n_step: number;
      /** How strongly priorities matter; null samples uniformly. */
      readonly alpha: number | null;
    };
  } | null;
}

export interface RunParts {
  readonly plan: RunPlan;
  readonly executor: Executor;
  readonly observer: TrainingObserver;
  readonly selection: SelectionStrategy | null;
  readonly mutation: Mutations | null;
  readonly hp_config: HyperparameterConfig | null;
  /** Called at every generation boundary, before the next generation starts. */
  readonly atBoundary?: (state: RunState, report: GenerationReport) => Promise<void>;
  /** Called with the generation's best member before selection and mutation change anything. */
  readonly atElite?: (elite: AgentState) => Promise<void>;
}

/** What a generation starts with. */
interface NextGeneration {
  readonly members: readonly AgentState[];
  readonly lineage: readonly LineageEvent[];
}

/** Evaluations that early stopping looks at. */
const TARGET_WINDOW = 10;

export class TrainingRun {
  readonly #parts: RunParts;
  #state: RunState;
  #stopped = false;
  #unsent: readonly Written[] = [];

  constructor(state: RunState, parts: RunParts) {
    this.#state = state;
    this.#parts = parts;
  }

  /** The last generation boundary: members as they were evaluated, before selection and mutation. */
  get state(): RunState {
    return this.#state;
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
   * Trains to the end.
   * @throws Error when every member failed, or one did and nothing can replace it: it names the member, and what
   *   was thrown in this thread is its `cause`; the DivergedError itself of one whose numbers stopped being finite,
   *   wherever it was trained.
   */
  async train(): Promise<EndReport> {
    const { plan, executor } = this.#parts;
    const { replay } = this.#state;
    const memory = plan.off_policy?.memory ?? { n_step: 1, alpha: null };
    const kind = { n_step: memory.n_step, prioritized: memory.alpha !== null };
    const setup = replay ? { population: this.#state.members.length, segment: replay.segment, kind } : null;
    await executor.open({
      environment: plan.environment,
      env_config: plan.env_config,
      members: this.#state.members.length,
      replay: setup,
      written: allWritten(replay),
      gpu_workgroups: this.#state.gpu_workgroups,
      trainedOn: this.#state.device,
    });
    try {
      return await this.#generations();
    } catch (error) {
      if (error instanceof StoppedError) return this.#end("stopped");
      throw error;
    }
  }

  async #generations(): Promise<EndReport> {
    const { plan } = this.#parts;
    for (;;) {
      if (this.#targetReached()) return this.#end("target");
      if (this.#state.members.some((m) => m.steps >= plan.max_steps)) return this.#end("max_steps");
      if (this.#stopped) return this.#end("stopped");
      const report = await this.#generation(this.#next());
      await this.#parts.atElite?.(this.#state.elite as AgentState);
      await this.#parts.atBoundary?.(this.#state, report);
    }
  }

  async #generation({ members, lineage }: NextGeneration): Promise<GenerationReport> {
    const { plan, executor, observer } = this.#parts;
    const generation = this.#state.generation + 1;
    const throughput = new Throughput();
    const startStep = globalStep(this.#state);
    const outcomes = await executor.generation(
      members.map((agent, slot) => ({ agent, turn: this.#turn(agent, slot, generation) })),
      this.#unsent,
      (slice) => {
        throughput.add(slice);
        if (!throughput.due()) return;
        observer.on({
          event: "progress",
          generation,
          global_step: startStep + throughput.env_steps,
          total_steps: plan.max_steps * members.length,
          ...throughput.rates(),
        });
      },
    );
    const results = this.#accept(members, outcomes);
    const seconds = throughput.seconds();
    const reports: MemberReport[] = results.map((result, slot) =>
      memberReport(slot, {
        before: this.#state.members[slot] as AgentState,
        result,
        subpopulation: this.#parts.selection?.subpopulationOf?.(slot) ?? null,
      }),
    );
    const fitnesses = reports.map((r) => r.fitness);
    const elite = bestOf(fitnesses);
    this.#state = {
      ...this.#state,
      generation,
      elite: this.#state.members[elite] as AgentState,
      evolution_due: true,
      gpu_workgroups: executor.gpu_workgroups ?? this.#state.gpu_workgroups,
      started: true,
      device: executor.device,
    };
    const report: GenerationReport = {
      event: "generation",
      generation,
      global_step: globalStep(this.#state),
      fitnesses,
      elite,
      members: reports,
      lineage,
      seconds,
      ...throughput.rates(),
    };
    observer.on(report);
    return report;
  }

  #turn(agent: AgentState, slot: number, generation: number): Turn {
    const { plan } = this.#parts;
    const { num_envs, seed, evo_steps, eval_loop, eval_steps, off_policy } = plan;
    return {
      slot,
      generation,
      seed,
      num_envs,
      evo_steps,
      eval_loop,
      eval_steps,
      off_policy: off_policy ? this.#offPolicyTurn(agent, slot, off_policy) : null,
    };
  }

  #offPolicyTurn(
    agent: AgentState,
    slot: number,
    { memory, ...off }: NonNullable<RunPlan["off_policy"]>,
  ): OffPolicyTurn {
    const { replay, epsilon } = this.#state;
    if (!replay) throw new Error("an off-policy run needs a replay memory");
    const { num_envs, evo_steps } = this.#parts.plan;
    const coming = vectorSteps(evo_steps, num_envs) * num_envs;
    const ring = replay.rings[slot];
    if (!ring) throw new RangeError(`replay: no segment ${slot}; there are ${replay.rings.length}`);
    const visible = replay.rings.map((r) => visiblePart(r, replay.segment, coming));
    const priorities =
      memory.alpha === null ? null : this.#priorities(agent, memory.alpha, { slot, ring, visible });
    return { ...off, epsilon, ring, visible, priorities };
  }

  /** A clone goes on with the priorities of the member it was cloned from. */
  #priorities(
    agent: AgentState,
    alpha: number,
    view: Parameters<typeof visiblePriorities>[2],
  ): TurnPriorities {
    const { plan } = this.#parts;
    const { members, replay } = this.#state;
    const { segment = 0, priorities } = replay ?? {};
    const itself = members.findIndex(({ index }) => index === agent.index);
    const source = itself >= 0 ? itself : members.findIndex(({ index }) => index === agent.parent);
    const before = priorities?.[source] ?? noPriorities(segment * members.length);
    return {
      ...visiblePriorities(before, alpha, view, segment),
      alpha,
      progress: Math.min(1, agent.steps / plan.max_steps),
      progress_step: plan.num_envs / plan.max_steps,
    };
  }

  /** Takes in what the turns gave; a member that failed is kept as it was, with no fitness. */
  #accept(trained: readonly AgentState[], outcomes: readonly TurnOutcome[]): (TurnResult | null)[] {
    const { observer, selection, mutation } = this.#parts;
    const results = outcomes.map((o) => (o.ok ? o.result : null));
    const fate = selection?.subpopulationOf
      ? "goes on from where it was until its subpopulation evolves"
      : "gives its place to a copy of a better one";
    for (const outcome of outcomes) {
      if (outcome.ok) continue;
      const { message } = outcome;
      if (!selection || !mutation || results.every((r) => r === null)) throw failureOf(outcome);
      observer.on({
        event: "warning",
        message: `${message}. It is out of this generation's selection and ${fate}.`,
      });
    }
    const steps = results.find((r) => r !== null)?.env_steps ?? 0;
    const members = results.map((result, slot) => {
      const before = trained[slot] as AgentState;
      return (
        result?.agent ?? {
          ...before,
          steps: before.steps + steps,
          fitness: withFitness(before.fitness, Number.NaN),
        }
      );
    });
    const off = results
      .filter((r) => r !== null)
      .flatMap((r) => (r.off_policy ? [{ slot: r.slot, ...r.off_policy }] : []));
    const { replay } = this.#state;
    this.#unsent = off.map(({ slot, written }) => ({ slot, ...written }));
    if (replay) {
      for (const written of this.#unsent) storeWritten(replay, written);
      const rings = replay.rings.map((ring, slot) => off.find((o) => o.slot === slot)?.ring ?? ring);
      const priorities = this.#parts.plan.off_policy?.memory.alpha == null ? null : this.#kept(off);
      this.#state = {
        ...this.#state,
        replay: { ...replay, rings, priorities },
        epsilon: off.at(-1)?.epsilon ?? this.#state.epsilon,
      };
    }
    this.#state = { ...this.#state, members };
    return results;
  }

  /** Every slot's priorities after a generation, without those of rows that others wrote in it. */
  #kept(
    off: readonly { readonly slot: number; readonly priorities: Priorities | null }[],
  ): readonly Priorities[] | null {
    const { replay, members } = this.#state;
    if (!replay) return null;
    const rows = replay.segment * members.length;
    return members.map((_member, slot) => {
      const own = off.find((o) => o.slot === slot)?.priorities ?? replay.priorities?.[slot];
      const others = this.#unsent.filter((written) => written.slot !== slot);
      return forgetRows(own ?? noPriorities(rows), others, replay.segment);
    });
  }

  /** Looks at evaluated members only, not at those that the caller started with. */
  #targetReached(): boolean {
    const { target } = this.#parts.plan;
    const { evolution_due, members } = this.#state;
    if (target === null || !evolution_due) return false;
    return members.every(({ fitness }) => fitnessOf(fitness, TARGET_WINDOW) > target);
  }

  #evolvable(state: AgentState): EvolvableAgent {
    return new EvolvableAgent(state, {
      algorithm: findAlgorithm(state.algorithm),
      hp_config: this.#parts.hp_config,
    });
  }

  /** The members that the next generation trains. */
  #next(): NextGeneration {
    const { selection, mutation } = this.#parts;
    const { members, generation, started, evolution_due } = this.#state;
    const population = members.map((m) => this.#evolvable(m));
    const before = recordHyperparameters(population);
    const evolved = (next: readonly EvolvableAgent[]): NextGeneration => ({
      members: next.map((m) => m.state),
      lineage: lineageEvents(generation, next, before),
    });
    if (!started) {
      mutation?.mutation(population, { preTraining: true, generation });
      return evolved(population);
    }
    if (!evolution_due || !selection || !mutation) return { members, lineage: [] };
    const next = selection.select(population, { generation });
    if (next.population.length !== members.length) {
      throw new RangeError(
        `selection_strategy: chose ${next.population.length} members, allowed ${members.length} (the population's size)`,
      );
    }
    mutation.mutation(next.population, { generation, indices: next.indices });
    return evolved(next.population);
  }

  #end(reason: EndReport["reason"]): EndReport {
    const { observer } = this.#parts;
    const fitnesses = this.#state.members.map((m) => m.fitness.at(-1) ?? Number.NaN);
    const report: EndReport = { event: "end", reason, global_step: globalStep(this.#state), fitnesses };
    observer.on(report);
    return report;
  }
}

/** What a run that nothing can save throws; of a turn in another thread the error itself did not come. */
function failureOf({ slot, message, diverged, cause }: Extract<TurnOutcome, { ok: false }>): Error {
  if (cause instanceof DivergedError) return cause;
  if (diverged) return new DivergedError(slot, message);
  return new Error(message, cause === undefined ? undefined : { cause });
}

/** Position of the largest number, the first of equals; NaN is below all. */
export const bestOf = (fitnesses: readonly number[]): number => ranking(fitnesses)[0] ?? 0;
