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
