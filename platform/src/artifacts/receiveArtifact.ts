/** Streams an uploaded artifact to disk, without holding it in memory. */
import { createHash } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { randomNonce, temporaryName } from "../../../src/storage/files.ts";

/** An upload whose size or hash differs from the announced one. */
export class UploadError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UploadError";
  }
}

export interface AnnouncedArtifact {
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
  const temporary = path.join(path.dirname(file), temporaryName(`${sha256}-${randomNonce()}`));
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
