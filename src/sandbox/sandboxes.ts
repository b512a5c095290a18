/** Door: sandboxes: who opens one, what crosses its border. */

export type { Finding, Picture, PictureSize, ValidateReply } from "./messages.ts";
export * from "./SandboxPort.ts";
