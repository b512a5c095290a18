/** Door: sandboxes: who opens one, what crosses its border. */

export type { Finding, Picture, PictureSize, ValidateReply } from "./messages.ts";
export { openSandbox, provideSandboxes } from "./openSandbox.ts";
export type { OpenSandbox } from "./SandboxPort.ts";
export { isSandboxEnd, SandboxLostError, SandboxTimeoutError } from "./sandboxErrors.ts";
