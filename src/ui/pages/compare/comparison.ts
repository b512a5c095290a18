import { quartiles } from "../../../tracking/history.ts";
import type { HistoryColumns } from "../../../workers/protocol.ts";
import type { FitnessWord } from "../../games/fitnessWord.tsx";
import { SEEDS } from "../../lib/configurations.ts";
import { flatConfig } from "../../lib/manifestValues.ts";
import { bestByGeneration } from "../../series/bestByGeneration.ts";

/** A quantity with one number per generation of a run. */
export interface Measure {
  /** "best fitness so far", "best fitness", "median fitness" or the name of a metric. */
  readonly name: string;
  /** Whether it is a fitness: a return, which an environment may bound, or a rating. */
  readonly isFitness: boolean;
  /** Whether it is the best of all generations so far. */
  readonly isRunning?: boolean;
  readonly of: (columns: HistoryColumns) => Float64Array;
}

/** A measure's name as shown. @param word what fitness is called */
export const shownName = ({ name, isFitness }: Omit<Measure, "of">, word: FitnessWord): string =>
  isFitness ? name.replace("fitness", word) : name;

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
  {
    name: "best fitness so far",
    isFitness: true,
    isRunning: true,
    of: (columns) => running(bestByGeneration(columns)),
  },
  { name: "best fitness", isFitness: true, of: bestByGeneration },
  { name: "median fitness", isFitness: true, of: (columns) => medians(columns, columns.fitness) },
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
        isFitness: false,
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

/** The seed or one manifest value of each run; null if unknown, or if a manifest does not contain it. */
export interface ConfigRow {
  readonly name: string;
  readonly values: readonly (string | number | null)[];
  readonly differs: boolean;
}

/** The seeds of runs, then all values of their manifests side by side, in order of first appearance. */
export function configRows(
  runs: readonly { readonly seed: number | null; readonly manifest: unknown }[],
): ConfigRow[] {
  const flat = runs.map(({ manifest }) => flatConfig(manifest));
  const names = [...new Set(flat.flatMap((config) => [...config.keys()]))];
  const rowOf = (name: string, values: ConfigRow["values"]): ConfigRow => ({
    name,
    values,
    differs: !SEEDS.has(name) && new Set(values).size > 1,
  });
  return [
    rowOf(
      "seed",
      runs.map(({ seed }) => seed),
    ),
    ...names.map((name) =>
      rowOf(
        name,
        flat.map((config) => config.get(name) ?? null),
      ),
    ),
  ];
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
