import { createRequire } from "node:module";
import { z } from "zod";

/** The version in package.json, found through the package's own name from sources and from the build alike. */
export function packageVersion(): string {
  const read = createRequire(import.meta.url);
  return z.object({ version: z.string() }).parse(read("rlkit/package.json")).version;
}
