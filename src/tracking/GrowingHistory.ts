import { fitnessError } from "../evolution/members.ts";
import { Column, type Numbers } from "./Column.ts";
import { EpisodeColumns } from "./EpisodeColumns.ts";
import { episodesOf, type TallyMember, type TallyRow } from "./evolutionTally.ts";
import type { FitnessColumns, GenerationRow, HistoryColumns, TrainingColumns } from "./HistoryColumns.ts";
import { MUTATION_KINDS, mutationKindAt } from "./mutationKind.ts";
import type { MemberReport } from "./observer.ts";
import { quartiles } from "./quartiles.ts";

type Member = Partial<MemberReport>;

/** What the numbers of a member depend on, besides its report. */
interface Told {
  readonly report: GenerationRow;
  readonly slot: number;
  /** The code of a mutation label. */
  readonly codeOf: (label: string) => number;
  /** The mutation label that a member had in the generation before; undefined if it is new. */
  readonly labelBefore: (index: number) => string | undefined;
}

const BY_GENERATION = {
  generation: ({ generation }) => generation,
  global_step: ({ global_step }) => global_step,
  seconds: ({ seconds }) => seconds,
  at: ({ at = Number.NaN }) => at,
} as const satisfies Record<string, (report: GenerationRow) => number>;

const identityOf = ({ index }: Member, { slot }: Told): number => index ?? slot;

const BY_MEMBER = {
  index: identityOf,
  parent: ({ parent }) => parent ?? -1,
  fitness: (_, { report, slot }) => report.fitnesses[slot] ?? Number.NaN,
  score: ({ score }) => score ?? Number.NaN,
  steps: ({ steps = Number.NaN }) => steps,
  episodes: (member, { report, slot }) => episodesOf(member, report.fitnesses[slot]) ?? Number.NaN,
  evaluation_error: ({ evaluation }) => fitnessError(evaluation),
  evaluation_steps: ({ evaluation: { lengths = [] } = {} }) =>
    lengths.length === 0 ? Number.NaN : lengths.reduce((sum, length) => sum + length, 0),
  milliseconds: ({ milliseconds = Number.NaN }) => milliseconds,
  worker: ({ worker = Number.NaN }) => worker,
  started: ({ started = Number.NaN }) => started,
  mutation: ({ mutation = "" }, { codeOf }) => codeOf(mutation),
  mutation_kind: (member, told) =>
    MUTATION_KINDS.indexOf(mutationKindAt(member, told.labelBefore(identityOf(member, told)))),
} as const satisfies Record<string, (member: Member, told: Told) => number>;

/** Columns of which a report has the names. */
const NAMED = {
  agent_fitness: { array: Float64Array, of: ({ agent_fitness }) => agent_fitness },
  hyperparameters: { array: Float64Array, of: ({ hyperparameters }) => hyperparameters },
  metrics: { array: Float64Array, of: ({ metrics }) => metrics },
  evaluation: {
    array: Float32Array,
    of: ({ evaluation }) => evaluation && quartiles(evaluation.returns),
  },
} as const satisfies Record<
  string,
  {
    readonly array: new () => Numbers;
    readonly of: (member: Member) => Readonly<Record<string, number>> | undefined;
  }
>;

// The keys of these tables are their names, which the type of `Object.keys` does not express.
const namesOf = <K extends string>(table: Readonly<Record<K, unknown>>): K[] => Object.keys(table) as K[];

/**
 * A run's columns, to which generations are added as they end. It has those columns that it was made with. The arrays have
 * spare capacity; `columns` are views of them.
 */
export class GrowingHistory<C extends FitnessColumns> {
  readonly #byGeneration = new Map<keyof typeof BY_GENERATION, Column<Numbers>>();
  readonly #byMember = new Map<keyof typeof BY_MEMBER, Column<Numbers>>();
  readonly #named = new Map<keyof typeof NAMED, Map<string, Column<Numbers>>>();
  readonly #generation: Column;
  /** Null without columns of training episodes. */
  readonly #training: EpisodeColumns | null;
  /** Labels of mutations; null without a column of them. */
  #labels: readonly string[] | null;
  #population: number;
  readonly #capacity: number;
  #columns: C | null = null;

  /**
   * @param columns All generations so far. They may be written to.
   * @param capacity The number of generations that there will be, if that is known.
   */
  constructor(columns: C, capacity = 0) {
    const given: FitnessColumns & Partial<HistoryColumns> = columns;
    this.#population = given.population;
    this.#capacity = capacity;
    this.#labels = given.mutations ?? null;
    this.#training = given.training ? new EpisodeColumns(given.training) : null;
    this.#generation = new Column(given.generation);
    for (const name of namesOf(BY_GENERATION)) {
      const array = given[name];
      if (array) this.#byGeneration.set(name, name === "generation" ? this.#generation : new Column(array));
    }
    for (const name of namesOf(BY_MEMBER)) {
      const array = given[name];
      if (array) this.#byMember.set(name, new Column<Numbers>(array));
    }
    for (const name of namesOf(NAMED)) {
      const group: Readonly<Record<string, Numbers>> | null | undefined = given[name];
      if (group === undefined) continue;
      const all = Object.entries(group ?? {}).map(([key, array]) => [key, new Column(array)] as const);
      this.#named.set(name, new Map(all));
    }
  }

  /** All generations so far. Returns the same object until a generation is added. */
  get columns(): C {
    this.#columns ??= this.#shown(({ values }) => values, this.#training?.columns);
    return this.#columns;
  }

  /** A copy of the columns, of their exact size. */
  copy(): C {
    return this.#shown(({ values }) => values.slice(), this.#training?.copy());
  }

  get length(): number {
    return this.#generation.length;
  }

  /** Population size; 0 before the first generation. */
  get population(): number {
    return this.#population;
  }

  /** Number of the last generation; 0 for none. */
  get last(): number {
    return this.length === 0 ? 0 : this.#generation.at(this.length - 1);
  }

  /** The row of a generation; -1 if it is absent. */
  rowOf(generation: number): number {
    return this.#generation.indexOf(generation);
  }

  /**
   * Adds a generation. One that is not newer than the last is ignored, because events may be repeated.
   * @returns whether it was added
   */
  append(report: GenerationRow): boolean {
    if (report.generation <= this.last) return false;
    if (this.length === 0) this.#population = report.fitnesses.length;
    const population = this.#population;
    const row = this.length;
    const start = row * population;
    for (const [name, column] of this.#byGeneration) {
      column.extend(row + 1, this.#capacity);
      column.set(row, BY_GENERATION[name](report));
    }
    const codeOf = (label: string): number => this.#codeOf(label);
    const labelBefore = (index: number): string | undefined => this.#labelAt(start - population, index);
    for (const columns of [this.#byMember, ...this.#named.values()])
      for (const column of columns.values()) this.#extend(column, row + 1);
    const members = Array.from({ length: population }, (_, slot): Member => report.members?.[slot] ?? {});
    for (const { training = [] } of members) this.#training?.add(training);
    // Column by column: engines make fast code for what reads and writes one kind of number.
    for (const [name, column] of this.#byMember) {
      const of = BY_MEMBER[name];
      for (const [slot, member] of members.entries())
        column.set(start + slot, of(member, { report, slot, codeOf, labelBefore }));
    }
    for (const [group, columns] of this.#named) {
      const { of } = NAMED[group];
      for (const [slot, member] of members.entries())
        for (const [name, value] of Object.entries(of(member) ?? {}))
          (columns.get(name) ?? this.#added(group, name, row + 1)).set(start + slot, value);
    }
    this.#columns = null;
    return true;
  }

  /** Adds a column whose name is new in a group. */
  #added(group: keyof typeof NAMED, name: string, rows: number): Column<Numbers> {
    const column = new Column<Numbers>(new NAMED[group].array());
    this.#named.get(group)?.set(name, column);
    this.#extend(column, rows);
    return column;
  }

  /** Drops all generations after the first `rows`. */
  truncate(rows: number): void {
    for (const column of this.#byGeneration.values()) column.truncate(rows);
    for (const columns of [this.#byMember, ...this.#named.values()])
      for (const column of columns.values()) column.truncate(rows * this.#population);
    this.#training?.truncate(rows * this.#population);
    this.#columns = null;
  }

  #extend(column: Column<Numbers>, rows: number): void {
    column.extend(rows * this.#population, this.#capacity * this.#population);
  }

  #codeOf(label: string): number {
    this.#labels ??= [];
    const known = this.#labels.indexOf(label);
    if (known >= 0) return known;
    this.#labels = [...this.#labels, label];
    return this.#labels.length - 1;
  }

  /** The mutation label of a member in the generation that starts at a cell. */
  #labelAt(start: number, index: number): string | undefined {
    for (let cell = Math.max(0, start); cell < start + this.#population; cell += 1)
      if (this.#byMember.get("index")?.at(cell) === index)
        return this.#labels?.[this.#byMember.get("mutation")?.at(cell) ?? -1];
    return undefined;
  }

  #shown(of: (column: Column<Numbers>) => Numbers, training: TrainingColumns | undefined): C {
    const all = <K extends string>(columns: ReadonlyMap<K, Column<Numbers>>): Record<string, Numbers> =>
      Object.fromEntries(Array.from(columns, ([name, column]) => [name, of(column)]));
    const named = Array.from(this.#named, ([name, columns]) => [
      name,
      name === "evaluation" && columns.size === 0 ? null : all(columns),
    ]);
    // These are the columns that the history was made with, and their types.
    return {
      generations: this.length,
      population: this.#population,
      ...(this.#labels && { mutations: this.#labels }),
      ...all(this.#byGeneration),
      ...all(this.#byMember),
      ...Object.fromEntries(named),
      ...(training && { training }),
    } as unknown as C;
  }
}

/** The generations of a history from row `from` to the one before row `to`, as `EvolutionTally` counts them. */
export function* tallyRows(columns: HistoryColumns, from = 0, to = columns.generations): Generator<TallyRow> {
  const { population, generation, fitness, index, parent, steps, hyperparameters } = columns;
  const { episodes, evaluation_error, mutation, mutations, mutation_kind } = columns;
  const named = Object.entries(hyperparameters);
  for (let row = from; row < to; row += 1) {
    const cells = Array.from({ length: population }, (_, slot) => row * population + slot);
    const member = (cell: number): TallyMember => {
      const count = episodes[cell] ?? Number.NaN;
      const kind = MUTATION_KINDS[mutation_kind[cell] ?? 0] ?? "none";
      return {
        index: index[cell] ?? -1,
        parent: parent[cell] ?? -1,
        steps: steps[cell] ?? Number.NaN,
        mutation: mutations[mutation[cell] ?? 0] ?? "",
        mutation_detail: { kind },
        hyperparameters: Object.fromEntries(named.map(([name, of]) => [name, of[cell] ?? Number.NaN])),
        ...(Number.isNaN(count)
          ? {}
          : { evaluation: { returns: { length: count }, error: evaluation_error[cell] ?? Number.NaN } }),
      };
    };
    // Of a lost report, only fitnesses are left.
    const isLost = cells.every((cell) => Number.isNaN(steps[cell] ?? Number.NaN));
    yield {
      generation: generation[row] ?? 0,
      fitnesses: cells.map((cell) => fitness[cell] ?? Number.NaN),
      members: isLost ? undefined : cells.map(member),
    };
  }
}
