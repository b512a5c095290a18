/** Numbers of a run's generations and members in columns, which a page receives without a copy. */
import { MUTATION_KINDS } from "../../tracking/mutationKind.ts";

export { MUTATION_KINDS };

/** Rows are the generations from `from` on. NaN stands for what is not known. */
export interface HistoryColumns {
  /** The first generation asked for. */
  readonly from: number;
  /** Number of rows. */
  readonly generations: number;
  readonly population: number;
  /** Of each generation: [generations]. */
  readonly generation: Float64Array;
  readonly global_step: Float64Array;
  /** Wall seconds. */
  readonly seconds: Float64Array;
  /** Its end, milliseconds since the epoch. */
  readonly at: Float64Array;
  /** Of each member: [generations, population]. */
  readonly index: Int32Array;
  /** Identity of the member it was cloned from; -1 for none. */
  readonly parent: Int32Array;
  readonly fitness: Float64Array;
  readonly score: Float64Array;
  readonly steps: Float64Array;
  /** Wall milliseconds of its turn. */
  readonly milliseconds: Float32Array;
  /** Place in `mutations`. */
  readonly mutation: Uint16Array;
  /** Labels, as in `MemberReport.mutation`. */
  readonly mutations: readonly string[];
  /** Place in {@link MUTATION_KINDS}. */
  readonly mutation_kind: Uint8Array;
  /** By name, [generations, population] each. */
  readonly hyperparameters: Readonly<Record<string, Float64Array>>;
  readonly metrics: Readonly<Record<string, Float64Array>>;
  /** Spread of each member's evaluation returns; null where no generation tells them. */
  readonly evaluation: {
    readonly min: Float32Array;
    readonly q1: Float32Array;
    readonly median: Float32Array;
    readonly q3: Float32Array;
    readonly max: Float32Array;
  } | null;
}

export interface HistoryCalls {
  /** Numbers of the generations from `from` on, 1 for all. */
  history(id: string, from: number): Promise<HistoryColumns>;
}
