/** The sandbox of a person's environment is gone: its process or worker ended, for lack of memory say. */
export class SandboxLostError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SandboxLostError";
  }
}
