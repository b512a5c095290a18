import { z } from "zod";
import { csvLine, csvNumber, workloadOf } from "../../../../src/hosting/index.ts";
import { parseManifestObject } from "../../../../src/manifests/index.ts";
import {
  type GenerationReport,
  metricColumns,
  metricRow,
  type RowShape,
} from "../../../../src/tracking/index.ts";
import { checkpointsOf } from "../../runs/checkpointRows.ts";
import type { RunRow } from "../../runs/RunRow.ts";
import { generationReports } from "../../runs/runEvents.ts";
import { notFound } from "../ApiError.ts";
import { checkpointName, checkpointPath, experimentOf, experimentSchema } from "../experiment.ts";
import { resumeRun } from "../resumeRun.ts";
import { type Route, route, SENT } from "../route.ts";
import { requireRun, type Services } from "../Services.ts";

function shapeOf(run: RunRow, reports: readonly GenerationReport[]): RowShape {
  const manifest = parseManifestObject(run.manifest);
  const { hyperparameters = [], agents = [] } = workloadOf(manifest).runs.prepare(manifest, run.seed);
  const metrics = reports.flatMap(({ members }) => members.flatMap((member) => Object.keys(member.metrics)));
  return { members: manifest.training.pop_size, metrics: [...new Set(metrics)], hyperparameters, agents };
}

/** Sorted names of a run's metrics. */
const metricNames = (run: RunRow, reports: readonly GenerationReport[]): string[] =>
  metricColumns(shapeOf(run, reports)).sort();

/**
 * CSV with one row per generation, with the column names that trackers use.
 * @param options.metric Columns. Default: all.
 * @param options.preview_rows Maximum number of rows. Default: all.
 * @throws ApiError 404 naming a metric that the run does not have.
 */
function metricsCsv(
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

const API = "/api/cli/v1/experiments";
const naming = z.strictObject({ experiment_name: z.string() });

const checkpointSchema = z.object({
  name: z.string(),
  generation: z.int(),
  global_step: z.int(),
  fitness: z.number().nullable(),
  size: z.int(),
  created_at: z.iso.datetime(),
  download_url: z.string(),
});

/** A query parameter that may be repeated. */
const several = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

export const experimentRoutes = (services: Services): readonly Route[] => [
  route({
    method: "GET",
    path: `${API}/list`,
    summary: "Experiments, the newest first.",
    scope: "read",
    reach: "project",
    query: z.strictObject({ project: z.string().optional() }),
    answer: z.array(experimentSchema),
    handle: async ({ query: { project = null }, key }) => {
      const runs = await services.runs.list(key.project ?? project);
      return runs.filter((run) => project === null || run.project === project).map(experimentOf);
    },
  }),
  route({
    method: "POST",
    path: `${API}/jobs/stop`,
    summary: "Stops an experiment at the end of its generation and keeps its checkpoints.",
    scope: "submit",
    reach: "project",
    body: naming,
    answer: experimentSchema,
    handle: async ({ body: { experiment_name }, key }) => {
      const { id } = await requireRun(services, key, experiment_name);
      return experimentOf(await services.runs.want(id, "stop"));
    },
  }),
  route({
    method: "POST",
    path: `${API}/jobs/resume`,
    summary: "Resumes an ended experiment from its newest checkpoint.",
    scope: "submit",
    reach: "project",
    body: z.strictObject({ experiment_name: z.string(), max_steps: z.int().min(1) }),
    answer: experimentSchema,
    handle: async ({ body: { experiment_name, max_steps }, key }) => {
      const run = await requireRun(services, key, experiment_name);
      return experimentOf(await resumeRun(services, run, max_steps));
    },
  }),
  route({
    method: "GET",
    path: `${API}/jobs/checkpoints`,
    summary: "An experiment's checkpoints, the oldest first.",
    scope: "read",
    reach: "project",
    query: naming,
    answer: z.array(checkpointSchema),
    handle: async ({ query: { experiment_name }, key }) => {
      const { id } = await requireRun(services, key, experiment_name);
      return (await checkpointsOf(services.database.query, id)).map(
        ({ generation, global_step, fitness, files, created_at }) => ({
          name: checkpointName(generation),
          generation,
          global_step,
          fitness,
          size: Object.values(files).reduce((sum, { size }) => sum + size, 0),
          created_at: created_at.toISOString(),
          download_url: checkpointPath(id, generation),
        }),
      );
    },
  }),
  route({
    method: "GET",
    path: `${API}/metrics`,
    summary: "Names of an experiment's metrics; with `metric`, their rows as CSV.",
    scope: "read",
    reach: "project",
    query: z.strictObject({
      experiment_name: z.string(),
      project: z.string().optional(),
      details: z.enum(["true", "false"]).optional(),
      preview_rows: z
        .string()
        .regex(/^[1-9]\d{0,8}$/)
        .transform(Number)
        .optional(),
      metric: several.optional(),
    }),
    answer: z.union([
      z.array(z.string()),
      z.object({ experiment_id: z.string(), metrics: z.array(z.string()) }),
    ]),
    handle: async ({ query, key, reply }) => {
      const { experiment_name, project = null, details, metric, preview_rows } = query;
      const run = await requireRun(services, key, experiment_name, project);
      const reports = await generationReports(services.database.query, run.id);
      if (metric || preview_rows !== undefined) {
        await reply.type("text/csv; charset=utf-8").send(metricsCsv(run, reports, { metric, preview_rows }));
        return SENT;
      }
      const metrics = metricNames(run, reports);
      return details === "true" ? { experiment_id: run.id, metrics } : metrics;
    },
  }),
];
