/** Door: sandboxes of a page. */

export { browserSandbox } from "./browser/browserSandbox.ts";
export type { LentPorts, SandboxPorts } from "./browser/SandboxPorts.ts";
