import type { FromStage, ToStage } from "../../stage/stageProtocol.ts";
import { lendSandboxes } from "../client/lendSandboxes.ts";
import { startStageWorker } from "./StageClient.ts";

/**
 * Asks a stage worker without a canvas for something. The worker ends with the answer, or on abort.
 * @param ask the message, with the sandboxes for players in user-written environments
 * @param answer hears each message; returns null for those that are not the answer
 * @throws the abort reason of the signal, or an Error with the reason why there is no answer
 */
export async function askStage<T>(
  ask: (sandboxes: MessagePort) => ToStage,
  answer: (message: FromStage) => T | null,
  signal: AbortSignal,
  transfer: readonly Transferable[] = [],
): Promise<T> {
  signal.throwIfAborted();
  const worker = startStageWorker();
  const { port1, port2 } = new MessageChannel();
  const endSandboxes = lendSandboxes(port1);
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      worker.addEventListener("error", ({ message }) =>
        reject(new Error(message || "It could not be loaded.")),
      );
      worker.addEventListener("message", ({ data }: MessageEvent<FromStage>) => {
        const found = answer(data);
        if (found !== null) resolve(found);
        else if (data.kind === "problem" && data.key === null) reject(new Error(data.message));
      });
      worker.postMessage(ask(port2), [port2, ...transfer]);
    });
  } finally {
    worker.terminate();
    endSandboxes();
  }
}
