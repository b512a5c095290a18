/** Compute workers as module workers of a browser. */
import type { SandboxPorts } from "../../sandbox/browser/SandboxPorts.ts";
import { reasonOf } from "../../storage/storageError.ts";
import type { FromCompute, Spawn } from "../computeProtocol.ts";
import type { SandboxAnswer, SandboxRequest } from "../protocol/environments.ts";

/** What a compute worker of a browser asks for beside its executor: a sandbox. */
export interface WorkerSandboxRequest extends SandboxRequest {
  readonly type: "sandbox";
}

/** What it is told, in messages that are no executor's. */
export interface WorkerSandboxAnswer {
  readonly type: "sandbox";
  readonly answer: SandboxAnswer;
}

/** @param openSandbox Makes the sandboxes that workers ask for. */
export const browserSpawner =
  (openSandbox: () => Promise<SandboxPorts>): Spawn =>
  ({ message, failed }) => {
    // Written out in one expression, since this is what bundlers look for.
    const worker = new Worker(new URL("../compute.worker.ts", import.meta.url), {
      type: "module",
      name: "rlkit compute",
    });
    const lend = async (id: number): Promise<void> => {
      const give = (answer: SandboxAnswer, transfer: MessagePort[]): void =>
        worker.postMessage({ type: "sandbox", answer } satisfies WorkerSandboxAnswer, transfer);
      try {
        const ports = await openSandbox();
        give({ id, ports }, [ports.calls, ports.control]);
      } catch (error) {
        give({ id, problem: reasonOf(error) }, []);
      }
    };
    worker.addEventListener("message", ({ data }: MessageEvent<FromCompute | WorkerSandboxRequest>) => {
      if (data.type === "sandbox") void lend(data.id);
      else message(data);
    });
    worker.addEventListener("messageerror", () =>
      failed("a message of the compute worker could not be read"),
    );
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      failed(event.message ? event.message : "the compute worker's script could not be loaded");
    });
    return {
      post: (outgoing) => worker.postMessage(outgoing),
      terminate: () => worker.terminate(),
    };
  };

/** Of a page of its own, which has no sandbox. */
export const spawnBrowserWorker: Spawn = browserSpawner(async () => {
  throw new Error("A page without the workbench has no sandbox for environments given as text.");
});
