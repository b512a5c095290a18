/** Compute workers as worker threads of Node. */
import { endChildrenOf, watchThreads } from "../../../sandbox/node/childrenOfThreads.ts";
import { workerThread } from "../../../storage/node/workerThread.ts";
import type { FromCompute, Spawn } from "../../protocol/compute.ts";

export const spawnWorker: Spawn = ({ message, failed }) => {
  watchThreads();
  const worker = workerThread(import.meta.url, "../compute.worker");
  const { threadId } = worker;
  let ended = false;
  const fail = (what: string): void => {
    if (!ended) failed(what);
  };
  worker.on("message", (data: FromCompute) => message(data));
  worker.on("messageerror", () => fail("a message from the compute worker could not be read"));
  worker.on("error", (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.on("exit", () => endChildrenOf(threadId));
  worker.on("exit", (code) => fail(`the compute worker ended with exit code ${code}`));
  return {
    post: (outgoing) => worker.postMessage(outgoing),
    terminate: () => {
      ended = true;
      // Resolves with the exit code; no caller has to wait for it.
      void worker.terminate();
    },
  };
};
