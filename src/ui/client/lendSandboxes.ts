import type { SandboxAnswer, SandboxRequest } from "../../workers/protocol.ts";
import { messageOf } from "../lib/messageOf.ts";

/** Answers on a port with sandboxes, which only a page can make. What makes them is loaded with the first. */
export function lendSandboxes(port: MessagePort): void {
  port.onmessage = async ({ data: { id } }: MessageEvent<SandboxRequest>) => {
    try {
      const { openSandboxPorts } = await import("../../sandbox/browser/openSandboxPorts.ts");
      const ports = await openSandboxPorts();
      port.postMessage({ id, ports } satisfies SandboxAnswer, [ports.calls, ports.control]);
    } catch (error) {
      port.postMessage({ id, problem: messageOf(error) } satisfies SandboxAnswer);
    }
  };
}
