/**
 * Numbers of a run's generations and members in columns, which are transferred to the page without a copy.
 */
import { MUTATION_KINDS } from "../../tracking/history.ts";

export { MUTATION_KINDS };

/** Rows are the generations from `from` on. NaN means unknown. */
export interface HistoryColumns {
  /** The first generation asked for. */
  readonly from: number;
  /** Number of rows. */
  readonly generations: number;
  readonly population: number;
  /** Per generation: [generations]. */
  readonly generation: Float64Array;
  readonly global_step: Float64Array;
  /** Wall-clock seconds. */
  readonly seconds: Float64Array;
  /** End of the generation, milliseconds since the epoch. */
  readonly at: Float64Array;
  /** Per member: [generations, population]. */
  readonly index: Int32Array;
  /** Identity of the member it was cloned from; -1 for none. */
  readonly parent: Int32Array;
  readonly fitness: Float64Array;
  readonly score: Float64Array;
  readonly steps: Float64Array;
  /** Wall-clock milliseconds of its turn. */
  readonly milliseconds: Float32Array;
  /** Index into `mutations`. */
  readonly mutation: Uint16Array;
  /** Labels, as in `MemberReport.mutation`: a member keeps its label until its next mutation. */
  readonly mutations: readonly string[];
  /**
   * Index into {@link MUTATION_KINDS}, of the mutation that the member began this generation with; "none" for one that
   * continued unchanged.
   */
  readonly mutation_kind: Uint8Array;
  /** By name; each is [generations, population]. */
  readonly hyperparameters: Readonly<Record<string, Float64Array>>;
  readonly metrics: Readonly<Record<string, Float64Array>>;
  /** Quartiles of each member's evaluation returns; null if no generation reports them. */
  readonly evaluation: {
    readonly min: Float32Array;
    readonly q1: Float32Array;
    readonly median: Float32Array;
    readonly q3: Float32Array;
    readonly max: Float32Array;
  } | null;
}

export interface HistoryCalls {
  /** Columns of the generations from `from` on; pass 1 for all. */
  history(id: string, from: number): Promise<HistoryColumns>;
}
