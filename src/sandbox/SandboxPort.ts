/** The two ends of the connection between a training thread and a sandbox. */

/**
 * A transferable object: a buffer or picture that the sender loses. The library's
 * types do not include the DOM.
 */
export type Transferable = ArrayBuffer | object;

/** The client's end. */
export interface SandboxPort {
  post(message: unknown, transfer?: readonly Transferable[]): void;
  /**
   * @param onEnd Called once with the reason when the sandbox can no longer answer, unless `end` was called.
   */
  listen(onMessage: (message: unknown) => void, onEnd: (reason: string) => void): void;
  /** Ends the sandbox immediately, whatever it is doing. */
  end(): void;
}

/** Opens a sandbox: Node starts a child process; a browser thread asks the page for a port. */
export type OpenSandbox = () => Promise<SandboxPort>;

/** The host's end. */
export interface HostPort {
  post(message: unknown, transfer: readonly Transferable[]): void;
  listen(onMessage: (message: unknown) => void): void;
}
