/** Files as a zip that is made while it is sent: one file at a time is in memory. */
import { Zip, ZipPassThrough } from "fflate";

/** @param written When the files were made. */
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
    // Weights do not shrink.
    const entry = new ZipPassThrough(path);
    entry.mtime = written;
    zip.add(entry);
    entry.push(bytes, true);
    yield* chunks.splice(0);
  }
  zip.end();
  yield* chunks.splice(0);
}
