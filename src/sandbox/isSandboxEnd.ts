import { SandboxLostError } from "./SandboxLostError.ts";
import { SandboxTimeoutError } from "./SandboxTimeoutError.ts";

/** Whether an error says that a sandbox ended: another one may be tried. */
export const isSandboxEnd = (error: unknown): boolean =>
  error instanceof SandboxTimeoutError || error instanceof SandboxLostError;
