import { SandboxLostError } from "./SandboxLostError.ts";
import { SandboxTimeoutError } from "./SandboxTimeoutError.ts";

/** Whether an error means that the sandbox ended, so that the caller may try another one. */
export const isSandboxEnd = (error: unknown): boolean =>
  error instanceof SandboxTimeoutError || error instanceof SandboxLostError;
