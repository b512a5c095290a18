import { TimeoutError } from "../evolution/members.ts";

/** Thrown when a user's environment did not reply in time. Its sandbox has been ended. */
export class SandboxTimeoutError extends TimeoutError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SandboxTimeoutError";
  }
}
