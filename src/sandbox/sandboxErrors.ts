import { TimeoutError } from "../evolution/members.ts";

/** Thrown when a user's environment did not reply in time. Its sandbox has been ended. */
export class SandboxTimeoutError extends TimeoutError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SandboxTimeoutError";
  }
}

/**
 * Thrown when the sandbox of a user's environment has ended: its process or worker stopped,
 * for example for lack of memory.
 */
export class SandboxLostError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SandboxLostError";
  }
}

/** Whether an error means that the sandbox ended, so that the caller may try another one. */
export const isSandboxEnd = (error: unknown): boolean =>
  error instanceof SandboxTimeoutError || error instanceof SandboxLostError;
