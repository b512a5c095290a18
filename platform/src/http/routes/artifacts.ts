import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { nodeStorageError } from "../../../../src/storage/node/nodeFileStore.ts";
import { receiveArtifact, UploadError } from "../../artifacts/receiveArtifact.ts";
import { sha256Schema } from "../../artifacts/sha256Schema.ts";
import { touch } from "../../artifacts/touch.ts";
import type { KeyRecord } from "../../keys/KeyStore.ts";
import { ApiError, notFound } from "../ApiError.ts";
import { type Call, type Route, route, SENT } from "../route.ts";
import { requireRun, type Services } from "../Services.ts";

/** Maximum size of an artifact in bytes. */
const MOST = 4 * 1024 ** 3;

const params = z.strictObject({ sha256: sha256Schema });

const TURNS = "/v1/runs/:id/attempts/:attempt/artifacts/:sha256";

const turnParams = params.extend({
  id: z.uuid(),
  attempt: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

/** Size of a file, or null if it does not exist. */
const sizeOf = async (file: string): Promise<number | null> =>
  stat(file).then(
    ({ size }) => size,
    () => null,
  );

/** @throws ApiError 411 without a valid length, 413 if the length is too large. */
function announcedSize(header: string | undefined): number {
  const size = Number(header ?? Number.NaN);
  if (!Number.isSafeInteger(size))
    throw new ApiError(411, "Content-Length: found none, allowed a number of bytes; send the header");
  if (size > MOST) throw new ApiError(413, `Content-Length: found ${size}, allowed ${MOST}`);
  return size;
}

/** Stores an upload. @throws ApiError (422) if its size or hash is not the announced one; StorageError "full" (507). */
async function receive(
  file: string,
  sha256: string,
  {
    body,
    request,
    mayKnow,
  }: Pick<Call<unknown, unknown, Readable>, "body" | "request"> & {
    /** Whether the caller may know that the artifact is already stored. */
    readonly mayKnow: boolean;
  },
) {
  const size = announcedSize(request.headers["content-length"]);
  if (mayKnow && (await sizeOf(file)) === size && (await touch(file))) {
    body.resume();
    return { sha256, size };
  }
  try {
    await receiveArtifact(file, { sha256, size }, body);
  } catch (error) {
    // The client reads the response only after it has sent the whole body.
    body.resume();
    if (error instanceof UploadError) throw new ApiError(422, `body: ${error.message}`);
    const stored = nodeStorageError(error, file, size);
    throw stored.code === "full" ? stored : error;
  }
  return { sha256, size };
}

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

const upload = {
  method: "PUT",
  scope: "worker",
  reach: "project",
  bodyLimit: MOST,
  body: z.instanceof(Readable),
  answer: z.object({ sha256: z.string(), size: z.int() }),
} as const;

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
      handle: async ({ params: { sha256 }, key, ...call }) =>
        receive(artifacts.fileOf(sha256), sha256, { ...call, mayKnow: await mayRead(key, sha256) }),
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
      handle: async ({ params: place, key, ...call }) =>
        receive(await turnFile(place, key), place.sha256, { ...call, mayKnow: true }),
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
