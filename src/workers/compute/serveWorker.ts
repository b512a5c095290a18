/** Serves a compute worker, in a browser and in Node. */
import { provideSandboxes } from "../../sandbox/sandboxes.ts";
import type { ComputePort, ToCompute } from "../protocol/compute.ts";
import { serveCompute } from "./computeServer.ts";
import { requestSandbox, takeSandbox } from "./PageSandboxes.ts";
import type { WorkerSandboxAnswer } from "./spawn/browserSpawner.ts";

/** Answers what the executor asks this thread. Entry points of workers call it. */
export function serveWorker(): void {
  // Not an import, because browser bundlers would try to resolve the module.
  const parent =
    typeof process === "undefined" ? null : process.getBuiltinModule?.("node:worker_threads").parentPort;

  const port: ComputePort = parent
    ? {
        post: (message, transfer) => parent.postMessage(message, transfer),
        listen: (handler) => parent.on("message", (message: ToCompute) => handler(message)),
      }
    : {
        post: (message, transfer) => self.postMessage(message, { transfer }),
        listen: (handler) =>
          self.addEventListener("message", ({ data }: MessageEvent<ToCompute | WorkerSandboxAnswer>) => {
            if (data.type === "sandbox") takeSandbox(data);
            else handler(data);
          }),
      };

  // In Node, sandboxes are child processes.
  if (!parent) provideSandboxes(requestSandbox);

  serveCompute(port);
}
