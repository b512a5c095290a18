/** The sandboxes available on this platform. */
import { isNode } from "../storage/isNode.ts";
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
  return (await ofNode()).nodeSandbox();
};

/** Opens a sandbox for one module whose functions are called. @throws Error in a page. */
export const openModuleSandbox: OpenSandbox = async () => {
  if (!isNode()) throw new Error("a page cannot run modules that a manifest names; use `rlkit train`");
  return (await ofNode()).moduleSandbox();
};

function ofNode(): Promise<{ readonly nodeSandbox: OpenSandbox; readonly moduleSandbox: OpenSandbox }> {
  // Not a literal, so that bundlers for the browser ignore it.
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return import(/* @vite-ignore */ `./node/nodeSandbox.${extension}`);
}
