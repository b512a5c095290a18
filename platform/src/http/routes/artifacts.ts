import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { z } from "zod";
import { nodeStorageError } from "../../../../src/storage/node/nodeFileStore.ts";
import { receiveArtifact, UploadError } from "../../artifacts/receiveArtifact.ts";
import { touch } from "../../artifacts/touch.ts";
import { ApiError, notFound } from "../ApiError.ts";
import { type Route, route, SENT } from "../route.ts";
import type { Services } from "../Services.ts";

/** Largest artifact in bytes: a file of a checkpoint. */
const MOST = 4 * 1024 ** 3;

const params = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/** Size of a file; null where there is none. */
const sizeOf = async (file: string): Promise<number | null> =>
  stat(file).then(
    ({ size }) => size,
    () => null,
  );

/** @throws ApiError 411 without a length, 413 for one that is too large. */
function announcedSize(header: string | undefined): number {
  const size = Number(header ?? Number.NaN);
  if (!Number.isSafeInteger(size))
    throw new ApiError(411, "Content-Length: found none; say how many bytes come");
  if (size > MOST) throw new ApiError(413, `Content-Length: found ${size}, allowed ${MOST}`);
  return size;
}

export const artifactRoutes = ({ artifacts }: Services): readonly Route[] => [
  route({
    method: "PUT",
    path: "/v1/artifacts/:sha256",
    summary: "Keeps bytes under their SHA-256; the same again changes nothing.",
    scope: "worker",
    params,
    bodyLimit: MOST,
    body: z.instanceof(Readable),
    answer: z.object({ sha256: z.string(), size: z.int() }),
    handle: async ({ params: { sha256 }, body, request }) => {
      const size = announcedSize(request.headers["content-length"]);
      const file = artifacts.fileOf(sha256);
      if ((await sizeOf(file)) === size && (await touch(file))) {
        body.resume();
        return { sha256, size };
      }
      try {
        await receiveArtifact(file, { sha256, size }, body);
      } catch (error) {
        // A client reads the answer when it has sent all.
        body.resume();
        if (error instanceof UploadError) throw new ApiError(422, `body: ${error.message}`);
        const stored = nodeStorageError(error, file, size);
        throw stored.code === "full" ? stored : error;
      }
      return { sha256, size };
    },
  }),
  route({
    method: "GET",
    path: "/v1/artifacts/:sha256",
    summary: "The bytes of a SHA-256.",
    scope: "worker",
    params,
    answerType: "application/octet-stream",
    handle: async ({ params: { sha256 }, reply }) => {
      const file = artifacts.fileOf(sha256);
      const size = await sizeOf(file);
      if (size === null) throw notFound(`artifact ${sha256}`);
      await reply
        .type("application/octet-stream")
        .header("Content-Length", size)
        .send(size === 0 ? "" : createReadStream(file));
      return SENT;
    },
  }),
];
