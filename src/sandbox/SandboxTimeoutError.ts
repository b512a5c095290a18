import { TimeoutError } from "../evolution/TimeoutError.ts";

/** A person's environment did not answer in its time, and its sandbox was ended. */
export class SandboxTimeoutError extends TimeoutError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SandboxTimeoutError";
  }
}
