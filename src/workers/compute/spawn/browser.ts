/** Compute workers of a page without the workbench. */
import type { Spawn } from "../../protocol/compute.ts";
import { browserSpawner } from "./browserSpawner.ts";

/** Such a page has no sandbox. */
const openSandbox = async (): Promise<never> => {
  throw new Error("A page without the workbench has no sandbox for environments given as text.");
};

export const spawnWorker: Spawn = browserSpawner(
  openSandbox,
  () =>
    // Written as one expression, because bundlers look for this pattern.
    new Worker(new URL("../compute.worker.ts", import.meta.url), { type: "module", name: "rlkit-compute" }),
);
