/** A run's metrics as CSV, one row per generation, with the column names that trackers use. */
import { parseManifestObject } from "../../../src/specs/index.ts";
import { csvLine, csvNumber } from "../../../src/tracking/clients.ts";
import { metricColumns, metricRow, type RowShape } from "../../../src/tracking/history.ts";
import type { GenerationReport } from "../../../src/training/loop.ts";
import { workloadOf } from "../../../src/training/workloads/registry.ts";
import type { RunRow } from "../runs/RunRow.ts";
import { notFound } from "./ApiError.ts";

function shapeOf(run: RunRow, reports: readonly GenerationReport[]): RowShape {
  const manifest = parseManifestObject(run.manifest);
  const { hyperparameters = [], agents = [] } = workloadOf(manifest).runs.prepare(manifest, run.seed);
  const metrics = reports.flatMap(({ members }) => members.flatMap((member) => Object.keys(member.metrics)));
  return { members: manifest.training.pop_size, metrics: [...new Set(metrics)], hyperparameters, agents };
}

/** Sorted names of a run's metrics. */
export const metricNames = (run: RunRow, reports: readonly GenerationReport[]): string[] =>
  metricColumns(shapeOf(run, reports)).sort();

/**
 * CSV with one row per generation.
 * @param options.metric Columns. Default: all.
 * @param options.preview_rows Maximum number of rows. Default: all.
 * @throws ApiError 404 naming a metric that the run does not have.
 */
export function metricsCsv(
  run: RunRow,
  reports: readonly GenerationReport[],
  { metric, preview_rows }: { metric?: readonly string[] | undefined; preview_rows?: number | undefined },
): string {
  const shape = shapeOf(run, reports);
  const all = metricColumns(shape);
  const unknown = metric?.find((name) => !all.includes(name));
  if (unknown !== undefined) throw notFound(`metric "${unknown}"`);
  const columns = metric ?? all;
  const shown = preview_rows === undefined ? reports : reports.slice(0, preview_rows);
  const rows = shown.map((report) => metricRow(shape, report));
  return [columns, ...rows.map((row) => columns.map((name) => csvNumber(row[name] ?? Number.NaN)))]
    .map((cells) => csvLine(cells))
    .join("");
}
