/** Compute workers as module workers of a browser. */
import type { FromCompute, Spawn } from "../computeProtocol.ts";

export const spawnBrowserWorker: Spawn = ({ message, failed }) => {
  // Written out in one expression, since this is what bundlers look for.
  const worker = new Worker(new URL("../compute.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit compute",
  });
  worker.addEventListener("message", ({ data }: MessageEvent<FromCompute>) => message(data));
  worker.addEventListener("messageerror", () => failed("a message of the compute worker could not be read"));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    failed(event.message ? event.message : "the compute worker's script could not be loaded");
  });
  return {
    post: (outgoing) => worker.postMessage(outgoing),
    terminate: () => worker.terminate(),
  };
};
