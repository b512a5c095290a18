import type { LayerActivations } from "../../stage/layerActivations.ts";
import type { FromStage, Player, ToStage } from "../../stage/stageProtocol.ts";
import { lendSandboxes } from "../client/lendSandboxes.ts";
import { startStageWorker } from "./StageClient.ts";

/**
 * The activations of a policy's layers during play, computed in a separate worker that ends with the answer
 * or on abort.
 * @throws Error that says why it cannot play, or the abort reason of the signal.
 */
export async function playedLayers(
  player: Player,
  signal: AbortSignal,
): Promise<readonly LayerActivations[]> {
  signal.throwIfAborted();
  const worker = startStageWorker();
  const sandboxes = new MessageChannel();
  const endSandboxes = lendSandboxes(sandboxes.port1);
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      worker.addEventListener("error", ({ message }) =>
        reject(new Error(message || "It could not be loaded.")),
      );
      worker.addEventListener("message", ({ data }: MessageEvent<FromStage>) => {
        if (data.kind === "layers") resolve(data.layers);
        else if (data.kind === "problem") reject(new Error(data.message));
      });
      const { bytes, environment, env_config, module } = player;
      worker.postMessage(
        {
          kind: "watch",
          player: { bytes, environment, env_config, module },
          sandboxes: sandboxes.port2,
        } satisfies ToStage,
        [sandboxes.port2],
      );
    });
  } finally {
    worker.terminate();
    endSandboxes();
  }
}
