/** The page's part: it contains the sandbox frame, and passes its ports to the worker that plays. */
import { openSandboxPorts } from "../../src/sandbox/browser/openSandboxPorts.ts";
import type { PlayRequest } from "./player.worker.ts";

declare global {
  interface Window {
    /** Starts playing. */
    play(script: string): Promise<void>;
    /** Called with the worker's messages. */
    tell(moment: unknown): void;
  }
}

window.play = async (script) => {
  const { ports } = await openSandboxPorts();
  const worker = new Worker("player.js");
  worker.addEventListener("message", ({ data }) => window.tell(data));
  const { calls, control } = ports;
  worker.postMessage({ ports: { calls, control }, script } satisfies PlayRequest, [calls, control]);
};
