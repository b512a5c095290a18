import { MUTATION_KINDS, mutationKindAt, QUARTILES, type Quartiles, quartiles } from "../tracking/history.ts";
import type { GenerationReport, MemberReport } from "../training/loop.ts";
import type { HistoryColumns } from "./protocol/HistoryColumns.ts";

/** Writes generation reports into columns, in order. */
export class HistoryColumnsWriter {
  readonly #from: number;
  readonly #population: number;
  readonly #rows: number;
  /** Number of rows written. */
  #length = 0;
  readonly #generation: Float64Array;
  readonly #global_step: Float64Array;
  readonly #seconds: Float64Array;
  readonly #at: Float64Array;
  readonly #index: Int32Array;
  readonly #parent: Int32Array;
  readonly #fitness: Float64Array;
  readonly #score: Float64Array;
  readonly #steps: Float64Array;
  readonly #milliseconds: Float32Array;
  readonly #mutation: Uint16Array;
  readonly #mutations = new Map<string, number>();
  readonly #mutationKind: Uint8Array;
  /** Mutation labels of the previous generation by member. */
  #labels: ReadonlyMap<number, string> = new Map();
  readonly #hyperparameters: Record<string, Float64Array> = {};
  readonly #metrics: Record<string, Float64Array> = {};
  #evaluation: Record<keyof Quartiles, Float32Array> | null = null;

  /** @param rows Maximum number of generations; further ones are left out. */
  constructor(from: number, rows: number, population: number) {
    const members = rows * population;
    this.#from = from;
    this.#rows = rows;
    this.#population = population;
    this.#generation = new Float64Array(rows);
    this.#global_step = new Float64Array(rows);
    this.#seconds = new Float64Array(rows);
    this.#at = new Float64Array(rows);
    this.#index = new Int32Array(members);
    this.#parent = new Int32Array(members).fill(-1);
    this.#fitness = new Float64Array(members).fill(Number.NaN);
    this.#score = new Float64Array(members).fill(Number.NaN);
    this.#steps = new Float64Array(members).fill(Number.NaN);
    this.#milliseconds = new Float32Array(members).fill(Number.NaN);
    this.#mutation = new Uint16Array(members);
    this.#mutationKind = new Uint8Array(members);
  }

  add({ generation, global_step, seconds, at, members }: GenerationReport): void {
    const row = this.#length;
    // A run that is training may have newer generations by now.
    if (row === this.#rows) return;
    this.#length += 1;
    this.#generation[row] = generation;
    this.#global_step[row] = global_step;
    this.#seconds[row] = seconds;
    this.#at[row] = at ?? Number.NaN;
    for (let slot = 0; slot < this.#population; slot++) {
      const member = members[slot];
      if (member) this.#addMember(row * this.#population + slot, member);
    }
    this.#labels = new Map(members.map(({ index, mutation }) => [index, mutation]));
  }

  #addMember(at: number, member: MemberReport): void {
    this.#index[at] = member.index;
    this.#parent[at] = member.parent ?? -1;
    this.#fitness[at] = member.fitness;
    this.#score[at] = member.score ?? Number.NaN;
    this.#steps[at] = member.steps;
    this.#milliseconds[at] = member.milliseconds ?? Number.NaN;
    const code = this.#mutations.get(member.mutation) ?? this.#mutations.size;
    this.#mutations.set(member.mutation, code);
    this.#mutation[at] = code;
    const kind = mutationKindAt(member, this.#labels.get(member.index));
    this.#mutationKind[at] = MUTATION_KINDS.indexOf(kind);
    this.#addNamed(this.#hyperparameters, at, member.hyperparameters);
    this.#addNamed(this.#metrics, at, member.metrics);
    if (member.evaluation) this.#addEvaluation(at, member.evaluation.returns);
  }

  #addNamed(
    columns: Record<string, Float64Array>,
    at: number,
    values: Readonly<Record<string, number>>,
  ): void {
    for (const [name, value] of Object.entries(values)) {
      columns[name] ??= new Float64Array(this.#rows * this.#population).fill(Number.NaN);
      columns[name][at] = value;
    }
  }

  #addEvaluation(at: number, returns: readonly number[]): void {
    const empty = () => new Float32Array(this.#rows * this.#population).fill(Number.NaN);
    this.#evaluation ??= { min: empty(), q1: empty(), median: empty(), q3: empty(), max: empty() };
    const spread = quartiles(returns);
    for (const name of QUARTILES) this.#evaluation[name][at] = spread[name];
  }

  done(): HistoryColumns {
    return {
      from: this.#from,
      generations: this.#length,
      population: this.#population,
      generation: this.#generation,
      global_step: this.#global_step,
      seconds: this.#seconds,
      at: this.#at,
      index: this.#index,
      parent: this.#parent,
      fitness: this.#fitness,
      score: this.#score,
      steps: this.#steps,
      milliseconds: this.#milliseconds,
      mutation: this.#mutation,
      mutations: [...this.#mutations.keys()],
      mutation_kind: this.#mutationKind,
      hyperparameters: this.#hyperparameters,
      metrics: this.#metrics,
      evaluation: this.#evaluation,
    };
  }
}
