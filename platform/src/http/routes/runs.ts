import { Readable } from "node:stream";
import { Zip, ZipPassThrough } from "fflate";
import { z } from "zod";
import { checkpointsOf } from "../../runs/checkpointRows.ts";
import { workerSchema } from "../../worker/WorkerTable.ts";
import { notFound } from "../ApiError.ts";
import {
  checkpointFiles,
  checkpointName,
  experimentOf,
  experimentSchema,
  generationOf,
} from "../experiment.ts";
import { resumeRun } from "../resumeRun.ts";
import { type Route, route, SENT } from "../route.ts";
import { requireRun, type Services } from "../Services.ts";

/** @param written Modification time of the files. */
async function* zipStream(
  files: AsyncIterable<readonly [path: string, bytes: Uint8Array]>,
  written: Date,
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for await (const [path, bytes] of files) {
    // Stored uncompressed: weights barely compress.
    const entry = new ZipPassThrough(path);
    entry.mtime = written;
    zip.add(entry);
    entry.push(bytes, true);
    yield* chunks.splice(0);
  }
  zip.end();
  yield* chunks.splice(0);
}

const params = z.strictObject({ id: z.string() });

const nodeSchema = workerSchema.pick({ id: true, host: true, cores: true });

export const runRoutes = (services: Services): readonly Route[] => [
  route({
    method: "GET",
    path: "/v1/runs/:id",
    summary: "A run, by its id or name, with its manifest and the machines that train it.",
    scope: "read",
    reach: "project",
    params,
    answer: experimentSchema.extend({ manifest: z.looseObject({}), nodes: z.array(nodeSchema) }),
    handle: async ({ params: { id }, key }) => {
      const run = await requireRun(services, key, id);
      const nodes = (await services.workers.list()).filter((worker) => worker.run === run.id);
      return {
        ...experimentOf(run),
        manifest: run.manifest,
        nodes: nodes.map((worker) => nodeSchema.parse(worker)),
      };
    },
  }),
  route({
    method: "GET",
    path: "/v1/runs/:id/events",
    summary: "The events of a run as server-sent events. Last-Event-ID continues after that event.",
    scope: "read",
    reach: "project",
    params,
    answerType: "text/event-stream",
    handle: async ({ params: { id }, key, request, reply }) => {
      const run = await requireRun(services, key, id);
      services.streams.require(key.id);
      const after = Number(/^\d{1,15}$/.exec(String(request.headers["last-event-id"] ?? ""))?.[0] ?? 0);
      reply.headers({
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store",
        // Tells proxies that buffer responses not to delay events.
        "X-Accel-Buffering": "no",
      });
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value);
      reply.hijack();
      await services.streams.send(reply.raw, { run: run.id, after, key: key.id });
      return SENT;
    },
  }),
  route({
    method: "GET",
    path: "/v1/runs/:id/checkpoints/:file",
    summary: "A checkpoint as a zip, which rlkit train --resume reads once it is unpacked.",
    scope: "read",
    reach: "project",
    params: z.strictObject({ id: z.string(), file: z.string() }),
    answerType: "application/zip",
    handle: async ({ params: { id, file }, key, reply }) => {
      const run = await requireRun(services, key, id);
      const checkpoints = await checkpointsOf(services.database.query, run.id);
      const found = checkpoints.find(({ generation }) => generation === generationOf(file));
      if (!found) throw notFound(`checkpoint "${file}" of ${run.name}`);
      const zip = zipStream(checkpointFiles(found, services.artifacts), found.created_at);
      await reply.type("application/zip").send(Readable.from(zip));
      return SENT;
    },
  }),
  route({
    method: "GET",
    path: "/v1/runs/:id/checkpoints/:checkpoint/:file",
    summary:
      "One file of a checkpoint, such as elite.safetensors, or member_0.safetensors of the first member.",
    scope: "read",
    reach: "project",
    params: z.strictObject({ id: z.string(), checkpoint: z.string(), file: z.string() }),
    answerType: "application/octet-stream",
    handle: async ({ params: { id, checkpoint, file }, key, reply }) => {
      const run = await requireRun(services, key, id);
      const checkpoints = await checkpointsOf(services.database.query, run.id);
      const found = checkpoints.find(({ generation }) => checkpointName(generation) === checkpoint);
      const artifact = new Map(Object.entries(found?.files ?? {})).get(file);
      if (!artifact) throw notFound(`file "${file}" of checkpoint "${checkpoint}" of ${run.name}`);
      await reply.type("application/octet-stream").send(await services.artifacts.get(artifact.sha256));
      return SENT;
    },
  }),
  route({
    method: "GET",
    path: "/v1/runs/:id/elite.safetensors",
    summary: "The best member's agent file, as of the newest checkpoint.",
    scope: "read",
    reach: "project",
    params,
    answerType: "application/octet-stream",
    handle: async ({ params: { id }, key, reply }) => {
      const { elite, name } = await requireRun(services, key, id);
      if (!elite) throw notFound(`elite of ${name}`);
      await reply.type("application/octet-stream").send(await services.artifacts.get(elite.sha256));
      return SENT;
    },
  }),
  route({
    method: "POST",
    path: "/v1/runs/:id/pause",
    summary: "Pauses a run.",
    scope: "submit",
    reach: "project",
    params,
    answer: experimentSchema,
    handle: async ({ params: { id }, key }) =>
      experimentOf(await services.runs.want((await requireRun(services, key, id)).id, "pause")),
  }),
  route({
    method: "POST",
    path: "/v1/runs/:id/resume",
    summary: "Resumes a run that is paused, stopped or failed.",
    scope: "submit",
    reach: "project",
    params,
    answer: experimentSchema,
    handle: async ({ params: { id }, key }) =>
      experimentOf(await resumeRun(services, await requireRun(services, key, id), null)),
  }),
];
