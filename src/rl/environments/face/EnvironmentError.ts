/** An environment of the caller's gave what the face of environments does not allow, or threw (then that is the `cause`). */
export class EnvironmentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EnvironmentError";
  }
}
