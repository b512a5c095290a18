import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { sha256Schema } from "../../artifacts/ArtifactStore.ts";
import type { KeyRecord } from "../../keys/KeyStore.ts";
import { notFound } from "../ApiError.ts";
import { receive, receiving, sizeOf } from "../receive.ts";
import { type Route, route, SENT } from "../route.ts";
import { requireRun, type Services } from "../Services.ts";

/** Maximum size of an artifact in bytes. */
const most = 4 * 1024 ** 3;

const params = z.strictObject({ sha256: sha256Schema });

const TURNS = "/v1/runs/:id/attempts/:attempt/artifacts/:sha256";

const turnParams = params.extend({
  id: z.uuid(),
  attempt: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

/** Sends an artifact. @throws ApiError 404. */
async function send(file: string, sha256: string, reply: FastifyReply): Promise<typeof SENT> {
  const size = await sizeOf(file);
  if (size === null) throw notFound(`artifact ${sha256}`);
  await reply
    .type("application/octet-stream")
    .header("Content-Length", size)
    .send(size === 0 ? "" : createReadStream(file));
  return SENT;
}

const upload = { ...receiving(most), scope: "worker" } as const;

const download = {
  method: "GET",
  scope: "worker",
  reach: "project",
  answerType: "application/octet-stream",
} as const;

export const artifactRoutes = (services: Services): readonly Route[] => {
  const { artifacts, runs, turns } = services;

  /** Whether a key may know that an artifact exists. */
  const mayRead = async ({ project }: KeyRecord, sha256: string): Promise<boolean> =>
    project === null || runs.hasArtifact(project, sha256);

  /** File of an artifact that a run's machines exchange. @throws ApiError 404 as `requireRun`. */
  const turnFile = async (
    { id, attempt, sha256 }: z.output<typeof turnParams>,
    key: KeyRecord,
  ): Promise<string> => {
    const run = await requireRun(services, key, id);
    return turns({ run: run.id, attempt }).fileOf(sha256);
  };

  return [
    route({
      ...upload,
      path: "/v1/artifacts/:sha256",
      summary: "Stores bytes under their SHA-256. Storing them again has no effect.",
      params,
      handle: async ({ params: { sha256 }, key, body, request }) => {
        const [file, mayKnow] = [artifacts.fileOf(sha256), await mayRead(key, sha256)];
        return receive({ file, sha256, most, mayKnow, body, request });
      },
    }),
    route({
      ...download,
      path: "/v1/artifacts/:sha256",
      summary: "Returns the artifact with this SHA-256.",
      params,
      handle: async ({ params: { sha256 }, key, reply }) => {
        if (!(await mayRead(key, sha256))) throw notFound(`artifact ${sha256}`);
        return send(artifacts.fileOf(sha256), sha256, reply);
      },
    }),
    route({
      ...upload,
      path: TURNS,
      summary: "Stores an artifact that the machines of a run exchange, under its SHA-256.",
      params: turnParams,
      handle: async ({ params: place, key, body, request }) => {
        const [file, { sha256 }] = [await turnFile(place, key), place];
        return receive({ file, sha256, most, mayKnow: true, body, request });
      },
    }),
    route({
      ...download,
      path: TURNS,
      summary: "Returns an artifact that a machine of the run has stored.",
      params: turnParams,
      handle: async ({ params: place, key, reply }) => send(await turnFile(place, key), place.sha256, reply),
    }),
    route({
      method: "DELETE",
      path: TURNS,
      summary: "Deletes an artifact that no machine of the run needs any more.",
      scope: "worker",
      reach: "project",
      params: turnParams,
      answer: z.null(),
      handle: async ({ params: place, key }) => {
        await rm(await turnFile(place, key), { force: true });
        return null;
      },
    }),
  ];
};
