/** Takes an artifact in as it comes, without holding it in memory. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { randomNonce, temporaryName } from "../../../src/storage/paths.ts";

/** An upload that is not what was announced. */
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
 * Writes a stream to a file of another name, and renames it once its size and hash are those that were announced. Of a
 * stream that is refused the rest is left to the caller.
 * @param file Where it goes.
 * @throws UploadError for other bytes, or more or fewer of them; the system's error where there is no room.
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
  try {
    await pipeline(
      // A request that is destroyed takes the connection with it, over which the refusal goes.
      stream.iterator({ destroyOnReturn: false }),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          received += chunk.byteLength;
          if (received > size) throw new UploadError(`found more than the ${size} bytes that were announced`);
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(temporary, { flags: "wx" }),
    );
    if (received < size) throw new UploadError(`found ${received} bytes, ${size} were announced`);
    const found = hash.digest("hex");
    if (found !== sha256) throw new UploadError(`found bytes of SHA-256 ${found}, allowed ${sha256}`);
    const handle = await open(temporary, "r");
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
