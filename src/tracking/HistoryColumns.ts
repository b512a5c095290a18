/**
 * The numbers of a run's generations in columns: in a coordinator's memory, on the way to the page, and in its charts.
 * Rows are generations. NaN means unknown.
 */
import type { GenerationReport, MemberReport } from "./observer.ts";

/** Numbers that are kept of every generation for as long as the run exists, even if its log is lost. */
export interface FitnessColumns {
  /** Number of rows. */
  readonly generations: number;
  /** Population size; 0 before the first generation. */
  readonly population: number;
  /** Per generation: [generations], ascending. */
  readonly generation: Float64Array;
  readonly global_step: Float64Array;
  /** Wall-clock seconds of each generation. */
  readonly seconds: Float64Array;
  /** Per member: [generations, population]. */
  readonly fitness: Float64Array;
}

/** By name, one number per member: each is [generations, population]. */
type Named<T = Float64Array> = Readonly<Record<string, T>>;

/** These numbers with the fitness of each agent of the members, by its id; none if members are single agents. */
export interface AgentColumns extends FitnessColumns {
  readonly agent_fitness: Named;
}

/** Lists of training episodes by cell: those of cell `i` are at `offsets[i]` to `offsets[i + 1] - 1`. */
export interface TrainingColumns {
  /** [generations * population + 1] */
  readonly offsets: Int32Array;
  /** Environment steps that the member itself had taken at the episode's end, ascending in a cell. */
  readonly steps: Float64Array;
  readonly returns: Float32Array;
}

/** All numbers of generations and members. They are transferred to the page without a copy. */
export interface HistoryColumns extends AgentColumns {
  /** End of the generation, milliseconds since the epoch: [generations]. */
  readonly at: Float64Array;
  /** Per member: [generations, population]. */
  readonly index: Int32Array;
  /** Identity of the member it was cloned from; -1 for none. */
  readonly parent: Int32Array;
  readonly score: Float64Array;
  readonly steps: Float64Array;
  /** Episodes of its evaluation in the generation. */
  readonly episodes: Float32Array;
  /** Standard error of that evaluation's mean return. */
  readonly evaluation_error: Float64Array;
  /** Environment steps of that evaluation. */
  readonly evaluation_steps: Float32Array;
  /** Wall-clock milliseconds of its turn. */
  readonly milliseconds: Float32Array;
  /** The compute worker of its turn, and milliseconds from the generation's start to it. */
  readonly worker: Float32Array;
  readonly started: Float32Array;
  /** Index into `mutations`. */
  readonly mutation: Uint16Array;
  /** Labels, as in `MemberReport.mutation`: a member keeps its label until its next mutation. */
  readonly mutations: readonly string[];
  /**
   * Index into `MUTATION_KINDS`, of the mutation that the member began this generation with; "none" for one that
   * continued unchanged.
   */
  readonly mutation_kind: Uint8Array;
  readonly hyperparameters: Named;
  readonly metrics: Named;
  /** Training episodes as far as reports have them, none in older logs; a cell is [generation, member]. */
  readonly training: TrainingColumns;
  /** Quartiles of each member's evaluation returns; null if no generation reports them. */
  readonly evaluation: {
    readonly min: Float32Array;
    readonly q1: Float32Array;
    readonly median: Float32Array;
    readonly q3: Float32Array;
    readonly max: Float32Array;
  } | null;
}

/** A generation's report, or what is left of one: at least the numbers of {@link FitnessColumns}. */
export interface GenerationRow
  extends Pick<
    GenerationReport,
    "generation" | "global_step" | "seconds" | "fitnesses" | "at" | "evolution"
  > {
  readonly steps_per_second?: number;
  /** By slot. */
  readonly members?: readonly Partial<MemberReport>[];
}

/** The columns before the first generation. */
export const noFitness = (): FitnessColumns => ({
  generations: 0,
  population: 0,
  generation: new Float64Array(),
  global_step: new Float64Array(),
  seconds: new Float64Array(),
  fitness: new Float64Array(),
});

export const noHistory = (): HistoryColumns => ({
  ...noFitness(),
  agent_fitness: {},
  at: new Float64Array(),
  index: new Int32Array(),
  parent: new Int32Array(),
  score: new Float64Array(),
  steps: new Float64Array(),
  episodes: new Float32Array(),
  evaluation_error: new Float64Array(),
  evaluation_steps: new Float32Array(),
  milliseconds: new Float32Array(),
  worker: new Float32Array(),
  started: new Float32Array(),
  mutation: new Uint16Array(),
  mutations: [],
  mutation_kind: new Uint8Array(),
  hyperparameters: {},
  metrics: {},
  training: { offsets: new Int32Array(1), steps: new Float64Array(), returns: new Float32Array() },
  evaluation: null,
});

/** The columns as rows, in order: the form in which a log stores them. */
export function* generationRows(
  columns: FitnessColumns & Partial<Pick<AgentColumns, "agent_fitness">>,
): Generator<GenerationRow> {
  const { population, generation, global_step, seconds, fitness, agent_fitness = {} } = columns;
  const agents = Object.entries(agent_fitness);
  const membersFrom = (start: number): Partial<MemberReport>[] =>
    Array.from({ length: population }, (_, slot) => ({
      agent_fitness: Object.fromEntries(
        agents.map(([id, values]) => [id, values[start + slot] ?? Number.NaN]),
      ),
    }));
  for (const [row, number] of generation.entries()) {
    const start = row * population;
    yield {
      generation: number,
      global_step: global_step[row] ?? Number.NaN,
      seconds: seconds[row] ?? Number.NaN,
      fitnesses: [...fitness.subarray(start, start + population)],
      ...(agents.length > 0 && { members: membersFrom(start) }),
    };
  }
}

/** The part of a report that a log stores when there is no room for all of it. */
export function storedRow(report: GenerationRow): GenerationRow {
  const { generation, global_step, seconds, fitnesses, members = [] } = report;
  const ofAgents = members.map(({ agent_fitness }) => (agent_fitness ? { agent_fitness } : {}));
  return {
    generation,
    global_step,
    seconds,
    fitnesses,
    ...(members.some(({ agent_fitness }) => agent_fitness) && { members: ofAgents }),
  };
}
