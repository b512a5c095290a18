/** Door: sandboxes: who opens one, what crosses its border. */

export type { Finding, Picture, PictureSize, ValidateReply } from "./messages.ts";
export {
  isSandboxEnd,
  type OpenSandbox,
  openSandbox,
  provideSandboxes,
  SandboxLostError,
  SandboxTimeoutError,
} from "./SandboxPort.ts";
