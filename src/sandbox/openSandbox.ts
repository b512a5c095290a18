/** The sandboxes available on this platform. */
import { isNode } from "../storage/files.ts";
import type { OpenSandbox } from "./SandboxPort.ts";

let provided: OpenSandbox | null = null;

/** Called in browser threads, where the page makes the sandboxes. */
export function provideSandboxes(open: OpenSandbox | null): void {
  provided = open;
}

/** Opens a sandbox for one module. @throws Error in a browser thread without a provider. */
export const openSandbox: OpenSandbox = async () => {
  if (provided) return provided();
  if (!isNode())
    throw new Error(
      "a browser thread can run user-written environments only if the page provides sandboxes (provideSandboxes)",
    );
  return (await import("#node/sandbox/node/nodeSandbox")).nodeSandbox();
};
