/** A run's generations as rows of numbers, under the keys that trackers use. */
import { parseManifestObject } from "../../../src/specs/index.ts";
import { csvLine, csvNumber } from "../../../src/tracking/csv/csvText.ts";
import { metricColumns, metricRow, type RowShape } from "../../../src/tracking/metricRow.ts";
import type { GenerationReport } from "../../../src/training/loop/observer.ts";
import { workloadOf } from "../../../src/training/workloads/registry.ts";
import type { RunRow } from "../runs/RunRow.ts";
import { notFound } from "./ApiError.ts";

function shapeOf(run: RunRow, reports: readonly GenerationReport[]): RowShape {
  const manifest = parseManifestObject(run.manifest);
  const { hyperparameters = [], agents = [] } = workloadOf(manifest).runs.prepare(manifest, run.seed);
  const metrics = reports.flatMap(({ members }) => members.flatMap((member) => Object.keys(member.metrics)));
  return { members: manifest.training.pop_size, metrics: [...new Set(metrics)], hyperparameters, agents };
}

/** Names of a run's metrics, sorted. */
export const metricNames = (run: RunRow, reports: readonly GenerationReport[]): string[] =>
  metricColumns(shapeOf(run, reports)).sort();

/**
 * A row for each generation.
 * @param options.metric Columns; all unless given. @param options.preview_rows Rows at most; all unless given.
 * @throws ApiError 404 naming a metric that the run has not.
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
