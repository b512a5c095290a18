/** Sandboxes: who opens one, the two ends of the connection to it, and its errors. */
import { TimeoutError } from "../evolution/members.ts";
import { isNode } from "../storage/files.ts";

let provided: OpenSandbox | null = null;

/** Called in browser threads, where the page makes the sandboxes. */
export function provideSandboxes(open: OpenSandbox | null): void {
  provided = open;
}

/** Opens a sandbox for one module. @throws Error in a browser thread without a provider. */
export const openSandbox: OpenSandbox = async () => {
  if (provided) return provided();
  if (!isNode())
    throw new Error(
      "a browser thread can run user-written environments only if the page provides sandboxes (provideSandboxes)",
    );
  return (await import("#node/sandbox/node/nodeSandbox")).nodeSandbox();
};

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
