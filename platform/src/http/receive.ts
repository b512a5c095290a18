/** Receives artifacts as request bodies. */

import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { z } from "zod";
import { nodeStorageError, temporaryName } from "../../../src/hosting/index.ts";
import { touch } from "../artifacts/DirectoryArtifacts.ts";
import type { Artifact } from "../runs/RunRow.ts";
import { ApiError } from "./ApiError.ts";
import type { Call } from "./route.ts";

/** An upload whose size or hash differs from the announced one. */
export class UploadError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UploadError";
  }
}

interface AnnouncedArtifact {
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Writes a stream to a temporary file, and renames the file once its size and hash match the announced ones.
 * If the stream is refused, the caller must consume the rest of it.
 * @param file Path of the finished file.
 * @throws UploadError if the size or hash differs; the system's error if the disk is full.
 */
export async function receiveArtifact(
  file: string,
  { sha256, size }: AnnouncedArtifact,
  stream: Readable,
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = path.join(
    path.dirname(file),
    temporaryName(`${sha256}-${randomBytes(4).toString("hex")}`),
  );
  const hash = createHash("sha256");
  let received = 0;
  // Open before anything can fail: a file that is still to be created could not be removed.
  const handle = await open(temporary, "wx");
  try {
    try {
      // Destroying the request would close the connection that has to carry the refusal.
      for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
        received += chunk.byteLength;
        if (received > size) throw new UploadError(`found more than the ${size} bytes that were announced`);
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
      if (received < size) throw new UploadError(`found ${received} bytes, ${size} were announced`);
      const found = hash.digest("hex");
      if (found !== sha256) throw new UploadError(`found the SHA-256 ${found}, allowed ${sha256}`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

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

interface Incoming extends Pick<Call<unknown, unknown, Readable>, "body" | "request"> {
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
