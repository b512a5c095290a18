import { zipSync } from "fflate";

/** The earliest date that a zip can store; a fixed date makes the same files give the same bytes. */
const FIRST_DAY = new Date(1980, 0, 1);

/** A zip of files by their paths. Weights do not compress well, so the files are stored uncompressed. */
export const zipFiles = (files: ReadonlyMap<string, Uint8Array>): Uint8Array =>
  zipSync(Object.fromEntries(files), { level: 0, mtime: FIRST_DAY });
