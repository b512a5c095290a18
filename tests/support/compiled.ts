/** Where tests find the sources that tests/support/compileSources.ts has compiled. */
import path from "node:path";
import { root } from "../../scripts/lib/environment.mjs";

export const FOLDER = ".cache/compiled";

/** Any file in it. */
export const COMPILED_PLACE = new RegExp(`/${FOLDER.replaceAll(".", String.raw`\.`)}/`);

const placeOf = (source: string, ending: string) => path.join(root, FOLDER, source.replace(/\.ts$/, ending));

/** A compiled module, by the path of its source: `src/index.ts`. */
export const compiled = (source: string): string => placeOf(source, ".js");

/**
 * What processes and threads begin with, and what tests hand to such threads: Node takes about a millisecond for a small
 * module, and a process needs a thousand. All share the modules of one bundle, and nothing with the compiled modules.
 */
export const BUNDLED = [
  "platform/src/main.ts",
  "platform/src/artifacts/DirectoryArtifacts.ts",
  "platform/src/artifacts/turnStores.ts",
  "platform/src/database/Database.ts",
  "platform/src/worker/Supervisor.ts",
  "src/cli/rlkit.ts",
  "src/storage/index.ts",
  "src/storage/node/index.ts",
  "src/workers/compute/compute.worker.ts",
  "src/workers/compute/spawn/node.ts",
] as const;

export const BUNDLE = ".bundle.js";

export type Bundled = (typeof BUNDLED)[number];

/** One of those with all that it needs. */
export const bundled = (source: Bundled): string => placeOf(source, BUNDLE);
