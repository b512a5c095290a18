/** Door: sandboxes of a page. */

export type { LentPorts, SandboxPorts } from "./browser/browserSandbox.ts";
export { browserSandbox } from "./browser/browserSandbox.ts";
