import type { SandboxAnswer, SandboxRequest } from "../../workers/protocol.ts";
import { messageOf } from "../lib/format.ts";

/**
 * Serves requests for sandboxes on a port; only a page can create them. The code that creates them loads with
 * the first request.
 * @returns a function that closes the port and ends all of its sandboxes.
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
