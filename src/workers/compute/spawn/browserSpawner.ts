/** Compute workers as module workers of a browser. */
import type { LentPorts, SandboxPorts } from "../../../sandbox/browser.ts";
import { reasonOf } from "../../../storage/files.ts";
import type { FromCompute, Spawn, ToCompute } from "../../protocol/compute.ts";
import type { SandboxAnswer, SandboxRequest } from "../../protocol/stored.ts";

/**
 * A message that a browser's compute worker sends to request a sandbox; it is not part
 * of the executor's protocol.
 */
export interface WorkerSandboxRequest extends SandboxRequest {
  readonly type: "sandbox";
}

/** The answer to a sandbox request; it is not part of the executor's protocol. */
export interface WorkerSandboxAnswer {
  readonly type: "sandbox";
  readonly answer: SandboxAnswer<SandboxPorts>;
}

/**
 * @param openSandbox Creates the sandboxes that workers request.
 * @param start Starts a worker.
 * @param takeBack Receives workers that were released.
 */
export const browserSpawner =
  (openSandbox: () => Promise<LentPorts>, start: () => Worker, takeBack?: (worker: Worker) => void): Spawn =>
  ({ message, failed }) => {
    const worker = start();
    const post = (outgoing: ToCompute): void => worker.postMessage(outgoing);
    const heard = new AbortController();
    const { signal } = heard;
    let ended = false;
    /** Owner ports of the worker's sandboxes, which would otherwise outlive the worker. */
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
    worker.addEventListener(
      "message",
      ({ data }: MessageEvent<FromCompute | WorkerSandboxRequest>) => {
        if (data.type === "sandbox") void lend(data.id);
        else message(data);
      },
      { signal },
    );
    worker.addEventListener(
      "messageerror",
      () => failed("a message from the compute worker could not be read"),
      { signal },
    );
    worker.addEventListener(
      "error",
      (event) => {
        event.preventDefault();
        failed(event.message ? event.message : "the compute worker's script could not be loaded");
      },
      { signal },
    );
    const leave = (): void => {
      ended = true;
      heard.abort();
      for (const owner of owned) owner.postMessage(null);
    };
    return {
      post,
      terminate: () => {
        leave();
        worker.terminate();
      },
      ...(takeBack && {
        release: () => {
          leave();
          post({ type: "abort" });
          post({ type: "close" });
          takeBack(worker);
        },
      }),
    };
  };
