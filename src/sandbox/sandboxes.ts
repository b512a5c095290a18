/** Door: sandboxes: who opens one, what crosses its border. */

export { isSandboxEnd } from "./isSandboxEnd.ts";
export type { Finding, Picture, PictureSize, ValidateReply } from "./messages.ts";
export { openSandbox, provideSandboxes } from "./openSandbox.ts";
export type { OpenSandbox } from "./SandboxPort.ts";
