import { mutationKindAt, QUARTILES, quartiles } from "../../tracking/history.ts";
import type { GenerationReport, MemberReport } from "../../tracking/observer.ts";
import { type HistoryColumns, MUTATION_KINDS } from "../../workers/protocol.ts";

type Numbers = Float64Array | Float32Array | Int32Array | Uint16Array | Uint8Array;

/** Columns with one number per generation, and columns with one number per member. */
const BY_GENERATION = ["generation", "global_step", "seconds", "at"] as const;
const BY_MEMBER = [
  "index",
  "parent",
  "fitness",
  "score",
  "steps",
  "milliseconds",
  "mutation",
  "mutation_kind",
] as const;

/**
 * A run's columns, to which generations are added as they end. The arrays have spare capacity; `columns` are
 * views of them.
 */
export class GrowingHistory {
  #arrays: HistoryColumns;
  #mutations: string[];
  #columns: HistoryColumns | null = null;

  /** @param columns all generations so far; they are copied on growth */
  constructor(columns: HistoryColumns) {
    this.#arrays = columns;
    this.#mutations = [...columns.mutations];
  }

  /** All generations so far. Returns the same object until a generation is added. */
  get columns(): HistoryColumns {
    this.#columns ??= viewOf(this.#arrays);
    return this.#columns;
  }

  /** Number of the next generation. */
  get next(): number {
    const { generations, generation, from } = this.#arrays;
    return generations === 0 ? from : (generation[generations - 1] ?? 0) + 1;
  }

  /**
   * Adds a generation. One that is not newer than the last is ignored.
   * @returns whether it was added
   */
  append(report: GenerationReport): boolean {
    if (report.generation < this.next) return false;
    this.#grow(report);
    const { generations: row, population } = this.#arrays;
    const arrays = this.#arrays;
    arrays.generation[row] = report.generation;
    arrays.global_step[row] = report.global_step;
    arrays.seconds[row] = report.seconds;
    arrays.at[row] = report.at ?? Number.NaN;
    for (const [slot, member] of report.members.entries()) {
      if (slot < population) this.#fill(row * population + slot, member);
    }
    this.#arrays = { ...this.#arrays, generations: row + 1, mutations: this.#mutations };
    this.#columns = null;
    return true;
  }

  /** Makes room for a report, including columns for new hyperparameters and metrics. */
  #grow(report: GenerationReport): void {
    const old = this.#arrays;
    const population = old.generations === 0 ? report.members.length : old.population;
    const needed = old.generations + 1;
    const enough = old.generation.length >= needed && old.population === population;
    const rows = enough ? old.generation.length : Math.max(64, 2 * needed);
    const cells = rows * population;
    const named = (kind: "hyperparameters" | "metrics"): Record<string, Float64Array> => {
      const columns: Record<string, Float64Array> = {};
      const names = new Set([
        ...Object.keys(old[kind]),
        ...report.members.flatMap((member) => Object.keys(member[kind])),
      ]);
      for (const name of names) columns[name] = longer(old[kind][name] ?? new Float64Array(), cells);
      return columns;
    };
    const wanted = report.members.some(({ evaluation }) => evaluation !== undefined);
    const spread = old.evaluation;
    const part = (key: (typeof QUARTILES)[number]) => longer(spread?.[key] ?? new Float32Array(), cells);
    this.#arrays = {
      ...old,
      population,
      ...(Object.fromEntries(BY_GENERATION.map((key) => [key, longer(old[key], rows)])) as Pick<
        HistoryColumns,
        (typeof BY_GENERATION)[number]
      >),
      ...(Object.fromEntries(BY_MEMBER.map((key) => [key, longer(old[key], cells)])) as Pick<
        HistoryColumns,
        (typeof BY_MEMBER)[number]
      >),
      hyperparameters: named("hyperparameters"),
      metrics: named("metrics"),
      evaluation:
        spread === null && !wanted
          ? null
          : { min: part("min"), q1: part("q1"), median: part("median"), q3: part("q3"), max: part("max") },
    };
  }

  #fill(cell: number, member: MemberReport): void {
    const arrays = this.#arrays;
    arrays.index[cell] = member.index;
    arrays.parent[cell] = member.parent ?? -1;
    arrays.fitness[cell] = member.fitness;
    arrays.score[cell] = member.score ?? Number.NaN;
    arrays.steps[cell] = member.steps;
    arrays.milliseconds[cell] = member.milliseconds ?? Number.NaN;
    arrays.mutation[cell] = this.#code(member.mutation);
    arrays.mutation_kind[cell] = MUTATION_KINDS.indexOf(
      mutationKindAt(member, this.#labelBefore(cell, member)),
    );
    for (const [name, column] of Object.entries(arrays.hyperparameters))
      column[cell] = member.hyperparameters[name] ?? Number.NaN;
    for (const [name, column] of Object.entries(arrays.metrics))
      column[cell] = member.metrics[name] ?? Number.NaN;
    if (arrays.evaluation === null) return;
    const spread = quartiles(member.evaluation?.returns ?? []);
    for (const key of QUARTILES) arrays.evaluation[key][cell] = spread[key];
  }

  /** The mutation label that a member had in the generation before that of a cell; undefined if it is new. */
  #labelBefore(cell: number, { index }: MemberReport): string | undefined {
    const { index: indices, mutation, population } = this.#arrays;
    const start = Math.floor(cell / population) * population;
    if (start === 0) return undefined;
    const before = indices.subarray(start - population, start).indexOf(index);
    return before < 0 ? undefined : this.#mutations[mutation[start - population + before] ?? -1];
  }

  #code(label: string): number {
    const known = this.#mutations.indexOf(label);
    if (known >= 0) return known;
    this.#mutations = [...this.#mutations, label];
    return this.#mutations.length - 1;
  }
}

/** Returns an array with room for `length` numbers: the same one, or a copy whose new floats are NaN. */
function longer<T extends Numbers>(array: T, length: number): T {
  if (array.length >= length) return array;
  // A typed array's constructor creates the same kind of array, which its type does not express.
  const copy = new (array.constructor as new (length: number) => T)(length);
  copy.set(array);
  if (copy instanceof Float64Array || copy instanceof Float32Array) copy.fill(Number.NaN, array.length);
  return copy;
}

/** Views of the columns, cut to the existing generations. */
function viewOf(arrays: HistoryColumns): HistoryColumns {
  const { generations, population, evaluation } = arrays;
  const cells = generations * population;
  const cut = (columns: Readonly<Record<string, Float64Array>>): Record<string, Float64Array> =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.subarray(0, cells)]));
  return {
    ...arrays,
    generation: arrays.generation.subarray(0, generations),
    global_step: arrays.global_step.subarray(0, generations),
    seconds: arrays.seconds.subarray(0, generations),
    at: arrays.at.subarray(0, generations),
    index: arrays.index.subarray(0, cells),
    parent: arrays.parent.subarray(0, cells),
    fitness: arrays.fitness.subarray(0, cells),
    score: arrays.score.subarray(0, cells),
    steps: arrays.steps.subarray(0, cells),
    milliseconds: arrays.milliseconds.subarray(0, cells),
    mutation: arrays.mutation.subarray(0, cells),
    mutation_kind: arrays.mutation_kind.subarray(0, cells),
    hyperparameters: cut(arrays.hyperparameters),
    metrics: cut(arrays.metrics),
    evaluation: evaluation && {
      min: evaluation.min.subarray(0, cells),
      q1: evaluation.q1.subarray(0, cells),
      median: evaluation.median.subarray(0, cells),
      q3: evaluation.q3.subarray(0, cells),
      max: evaluation.max.subarray(0, cells),
    },
  };
}
