/** Receives artifacts as request bodies. */
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { z } from "zod";
import { nodeStorageError } from "../../../src/storage/node/nodeFileStore.ts";
import { touch } from "../artifacts/DirectoryArtifacts.ts";
import { receiveArtifact, UploadError } from "../artifacts/receiveArtifact.ts";
import type { Artifact } from "../runs/RunRow.ts";
import { ApiError } from "./ApiError.ts";
import type { Call } from "./route.ts";

/** Size of a file, or null if it does not exist. */
export const sizeOf = async (file: string): Promise<number | null> =>
  stat(file).then(
    ({ size }) => size,
    () => null,
  );

/** @throws ApiError 411 without a valid length, 413 if the length is too large. */
function announcedSize(header: string | undefined, most: number): number {
  const size = Number(header ?? Number.NaN);
  if (!Number.isSafeInteger(size))
    throw new ApiError(411, "Content-Length: found none, allowed a number of bytes; send the header");
  if (size > most) throw new ApiError(413, `Content-Length: found ${size}, allowed ${most}`);
  return size;
}

export interface Incoming extends Pick<Call<unknown, unknown, Readable>, "body" | "request"> {
  readonly file: string;
  readonly sha256: string;
  /** Maximum size in bytes. */
  readonly most: number;
  /** Whether the caller may know that the artifact is already stored. */
  readonly mayKnow: boolean;
}

/** Stores an upload. @throws ApiError (422) if its size or hash is not the announced one; StorageError "full" (507). */
export async function receive({ file, sha256, most, mayKnow, body, request }: Incoming): Promise<Artifact> {
  const size = announcedSize(request.headers["content-length"], most);
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

/** What all routes that receive an artifact have in common. @param most Maximum size in bytes. */
export const receiving = (most: number) =>
  ({
    method: "PUT",
    reach: "project",
    bodyLimit: most,
    body: z.instanceof(Readable),
    answer: z.object({ sha256: z.string(), size: z.int() }),
  }) as const;
