/** Compute workers of the built library, as users have them. Those of the sources load a compiler first. */
import type { Spawn } from "../../src/workers/computing.ts";

const built = new URL("../../dist/lib/workers/compute/spawn/node.js", import.meta.url).href;

export const { spawnWorker: spawnBuiltWorker } = (await import(built)) as { spawnWorker: Spawn };
