/** Streams files as a zip, with one file at a time in memory. */
import { Zip, ZipPassThrough } from "fflate";

/** @param written Modification time of the files. */
export async function* zipStream(
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
