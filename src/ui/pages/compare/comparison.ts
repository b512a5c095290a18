import { quartiles } from "../../../tracking/history.ts";
import type { HistoryColumns } from "../../../workers/protocol.ts";
import { flatConfig } from "../../lib/manifestValues.ts";
import { bestByGeneration } from "../../series/bestByGeneration.ts";

/** A quantity with one number per generation of a run. */
export interface Measure {
  /** "best fitness so far", "best fitness", "median fitness" or the name of a metric. */
  readonly name: string;
  readonly of: (columns: HistoryColumns) => Float64Array;
}

/** The median over the members of each generation. */
function medians(
  { generations, population }: HistoryColumns,
  values: Float64Array | undefined,
): Float64Array {
  return Float64Array.from({ length: generations }, (_, row) =>
    values === undefined
      ? Number.NaN
      : quartiles(values.subarray(row * population, (row + 1) * population)).median,
  );
}

/** Running maximum of the values; NaN before the first finite value. */
function running(values: Float64Array): Float64Array {
  let best = Number.NaN;
  return values.map((value) => {
    if (Number.isFinite(value) && !(value <= best)) best = value;
    return best;
  });
}

const FITNESS: readonly Measure[] = [
  { name: "best fitness so far", of: (columns) => running(bestByGeneration(columns)) },
  { name: "best fitness", of: bestByGeneration },
  { name: "median fitness", of: (columns) => medians(columns, columns.fitness) },
];

/**
 * Measures by which runs can be compared: fitness, and every metric that any run reports, as the median over
 * members.
 */
export function measuresOf(runs: readonly HistoryColumns[]): Measure[] {
  const names = new Set(runs.flatMap(({ metrics }) => Object.keys(metrics)));
  return [
    ...FITNESS,
    ...[...names].sort().map(
      (name): Measure => ({
        name,
        of: (columns) => medians(columns, columns.metrics[name]),
      }),
    ),
  ];
}

/** Which number of a measure a table shows. */
export type Pick = "last" | "best" | "min";

/** One number of a measure over all generations: the last, highest or lowest; NaN if there is none. */
export function picked(values: Float64Array, pick: Pick): number {
  if (pick === "last") return values.findLast(Number.isFinite) ?? Number.NaN;
  const { min, max } = quartiles(values);
  return pick === "best" ? max : min;
}

/** One manifest value for each run; null if a manifest does not contain it. */
export interface ConfigRow {
  readonly name: string;
  readonly values: readonly (string | number | null)[];
  readonly differs: boolean;
}

/** All values of the manifests side by side, in order of first appearance. */
export function configRows(manifests: readonly unknown[]): ConfigRow[] {
  const flat = manifests.map(flatConfig);
  const names = [...new Set(flat.flatMap((config) => [...config.keys()]))];
  return names.map((name) => {
    const values = flat.map((config) => config.get(name) ?? null);
    return { name, values, differs: new Set(values).size > 1 };
  });
}

/** An environment and its options, such as "FrozenLake-v1 (is_slippery off)". */
export function environmentWords(environment: string, options: unknown): string {
  const words = [...flatConfig(options)].map(([name, value]) => `${name} ${value}`).join(", ");
  return words === "" ? environment : `${environment} (${words})`;
}

/** The line of one run, before the lines share an axis. */
interface RunLine {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** Maximum number of points per line; more take time without a visible difference. */
export const MOST_POINTS = 1000;

/**
 * Lines on a shared axis: all positions in ascending order, and each line's value at each; null where it has
 * none.
 */
interface Overlay {
  readonly x: readonly number[];
  readonly lines: readonly (readonly (number | null)[])[];
}

/** The rows of a line to draw: all, or an even selection that includes the first and the last. */
function drawnRows(length: number): readonly number[] {
  if (length <= MOST_POINTS) return Array.from({ length }, (_, row) => row);
  return Array.from({ length: MOST_POINTS }, (_, at) => Math.round((at * (length - 1)) / (MOST_POINTS - 1)));
}

/** Puts lines with different positions on a shared axis. */
export function overlay(lines: readonly RunLine[]): Overlay {
  const points = lines.map(
    ({ x, y }) =>
      new Map(
        drawnRows(x.length).flatMap((row): [number, number][] => {
          const [position, value] = [x[row] ?? Number.NaN, y[row] ?? Number.NaN];
          return Number.isFinite(position) && Number.isFinite(value) ? [[position, value]] : [];
        }),
      ),
  );
  const x = [...new Set(points.flatMap((line) => [...line.keys()]))].sort((a, b) => a - b);
  return { x, lines: points.map((line) => x.map((position) => line.get(position) ?? null)) };
}
