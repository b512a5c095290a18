/** Data sets on disk in Node, whose files are read in parts. */

import { createReadStream, openAsBlob } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { sha256Hasher } from "../../storage/files.ts";
import type { Dataset, OpenOptions } from "../Dataset.ts";
import { DatasetError } from "../DatasetError.ts";
import { datasetIn } from "../datasetIn.ts";
import { HEADER_BYTES, importHdf5, openHdf5, requireHdf5 } from "../files/hdf5.ts";
import { csvDataset, isCsv } from "../flat/csvDataset.ts";
import { gamesDataset, isGames } from "../flat/gamesDataset.ts";

const MAIN = "main_data.hdf5";
/** Possible locations of the file in a Minari folder. */
const PLACES = [path.join("data", MAIN), MAIN];

/** @throws DatasetError if the path does not exist or is not a data set. */
export async function openPath(given: string, { metadata, source = given }: OpenOptions): Promise<Dataset> {
  const file = await fileAt(given, source);
  const { size } = await stat(file);
  const head = await headOf(file);
  if (isCsv(head)) return csvDataset(await openAsBlob(file), { source, metadata });
  if (isGames(head)) return gamesDataset(await openAsBlob(file), { source });
  requireHdf5(head, size, source);
  const beside = metadata ?? (await textAt(path.join(path.dirname(file), "metadata.json")));
  const sha256 = await hashOf(file);
  // h5wasm's Node build reads files without copying them into memory.
  const hdf5 = await importHdf5("h5wasm/node");
  await hdf5.ready;
  const handle = openHdf5(hdf5, file, source);
  try {
    return datasetIn(handle, { source, metadata: beside, sha256, close: () => void handle.close() });
  } catch (error) {
    handle.close();
    throw error;
  }
}

const kindOf = async (file: string): Promise<"file" | "directory" | null> => {
  try {
    return (await stat(file)).isDirectory() ? "directory" : "file";
  } catch {
    return null;
  }
};

async function fileAt(given: string, source: string): Promise<string> {
  const kind = await kindOf(given);
  if (kind === null) throw new DatasetError(source, "no such file or folder; check the path");
  if (kind === "file") return given;
  for (const place of PLACES) {
    const file = path.join(given, place);
    if ((await kindOf(file)) === "file") return file;
  }
  throw new DatasetError(
    source,
    `is a folder without ${PLACES.join(" or ")}, allowed a Minari folder, an HDF5 file or a CSV file`,
  );
}

async function headOf(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function textAt(file: string): Promise<string | null> {
  return (await kindOf(file)) === "file" ? readFile(file, "utf8") : null;
}

async function hashOf(file: string): Promise<string> {
  const hasher = sha256Hasher();
  for await (const part of createReadStream(file, { highWaterMark: 2 ** 20 }))
    hasher.update(part as Uint8Array);
  return hasher.digest();
}
