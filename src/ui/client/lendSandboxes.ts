import type { SandboxAnswer, SandboxRequest } from "../../workers/protocol.ts";
import { messageOf } from "../lib/messageOf.ts";

/**
 * Answers on a port with sandboxes, which only a page can make. What makes them is loaded with the first.
 * @returns what ends the port and all of its sandboxes.
 */
export function lendSandboxes(port: MessagePort): () => void {
  const lent = new Set<() => void>();
  let closed = false;
  port.onmessage = async ({ data: { id } }: MessageEvent<SandboxRequest>) => {
    try {
      const { openSandboxPorts } = await import("../../sandbox/browser/openSandboxPorts.ts");
      const { ports, end } = await openSandboxPorts();
      lent.add(end);
      if (closed) return end();
      port.postMessage({ id, ports } satisfies SandboxAnswer, Object.values(ports));
    } catch (error) {
      port.postMessage({ id, problem: messageOf(error) } satisfies SandboxAnswer);
    }
  };
  return () => {
    closed = true;
    port.close();
    for (const end of lent) end();
  };
}
