import { quartiles } from "../../../tracking/history.ts";
import type { HistoryColumns } from "../../../workers/protocol.ts";

/** A quantity with one number per generation of a run. */
export interface Measure {
  /** "best fitness so far", "best fitness", "median fitness" or the name of a metric. */
  readonly name: string;
  readonly of: (columns: HistoryColumns) => Float64Array;
}

function byGeneration(
  columns: HistoryColumns,
  values: Float64Array | undefined,
  number: (members: Float64Array) => number,
): Float64Array {
  const { generations, population } = columns;
  return Float64Array.from({ length: generations }, (_, row) =>
    values === undefined ? Number.NaN : number(values.subarray(row * population, (row + 1) * population)),
  );
}

const highest = (members: Float64Array): number => quartiles(members).max;
const median = (members: Float64Array): number => quartiles(members).median;

/** Running maximum of the values; NaN before the first finite value. */
function running(values: Float64Array): Float64Array {
  let best = Number.NaN;
  return values.map((value) => {
    if (Number.isFinite(value) && !(value <= best)) best = value;
    return best;
  });
}

const FITNESS: readonly Measure[] = [
  { name: "best fitness so far", of: (columns) => running(byGeneration(columns, columns.fitness, highest)) },
  { name: "best fitness", of: (columns) => byGeneration(columns, columns.fitness, highest) },
  { name: "median fitness", of: (columns) => byGeneration(columns, columns.fitness, median) },
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
        of: (columns) => byGeneration(columns, columns.metrics[name], median),
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
