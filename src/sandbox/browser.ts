/** Door: sandboxes of a page. */
export { browserSandbox, type LentPorts, type SandboxPorts } from "./browser/browserSandbox.ts";
