/** Door: sandboxes: who opens one, what crosses its border. */

export type { Finding, Picture, PictureSize, ValidateReply } from "./messages.ts";
export type { OpenSandbox } from "./SandboxPort.ts";
export { isSandboxEnd, openSandbox, provideSandboxes } from "./SandboxPort.ts";
