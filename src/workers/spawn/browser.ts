/** Compute workers as module workers of a browser. */
import type { LentPorts, SandboxPorts } from "../../sandbox/browser/SandboxPorts.ts";
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
  readonly answer: SandboxAnswer<SandboxPorts>;
}

/** @param openSandbox Makes the sandboxes that workers ask for. */
export const browserSpawner =
  (openSandbox: () => Promise<LentPorts>): Spawn =>
  ({ message, failed }) => {
    // Written out in one expression, since this is what bundlers look for.
    const worker = new Worker(new URL("../compute.worker.ts", import.meta.url), {
      type: "module",
      name: "rlkit compute",
    });
    let ended = false;
    /** Of sandboxes that were handed on: they would outlive the worker. */
    const owned = new Set<MessagePort>();
    const lend = async (id: number): Promise<void> => {
      const give = (answer: SandboxAnswer<SandboxPorts>, transfer: MessagePort[]): void =>
        worker.postMessage({ type: "sandbox", answer } satisfies WorkerSandboxAnswer, transfer);
      try {
        const { calls, control, owner } = await openSandbox();
        if (ended) return owner.postMessage(null);
        owned.add(owner);
        owner.onmessage = () => owned.delete(owner);
        give({ id, ports: { calls, control } }, [calls, control]);
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
      terminate: () => {
        ended = true;
        worker.terminate();
        for (const owner of owned) owner.postMessage(null);
      },
    };
  };

/** Of a page of its own, which has no sandbox. */
export const spawnBrowserWorker: Spawn = browserSpawner(async () => {
  throw new Error("A page without the workbench has no sandbox for environments given as text.");
});
