import { zipSync } from "fflate";

/** The first day that a zip can name, so that the same files make the same bytes. */
const FIRST_DAY = new Date(1980, 0, 1);

/** Files by their paths as a zip. Weights do not shrink, so they are stored as they are. */
export const zipFiles = (files: ReadonlyMap<string, Uint8Array>): Uint8Array =>
  zipSync(Object.fromEntries(files), { level: 0, mtime: FIRST_DAY });
