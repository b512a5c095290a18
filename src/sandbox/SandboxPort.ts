/** The two ends of what joins a thread that trains with a sandbox. */

/** What can be sent so that the sender loses it: buffers and pictures. The library's types know no DOM. */
export type Transferable = ArrayBuffer | object;

/** The client's end. */
export interface SandboxPort {
  post(message: unknown, transfer?: readonly Transferable[]): void;
  /** @param onEnd Told once why nothing will answer any more, unless `end` was called. */
  listen(onMessage: (message: unknown) => void, onEnd: (reason: string) => void): void;
  /** Ends what is behind it at once, whatever it does. */
  end(): void;
}

/** Where a thread gets sandboxes from: Node starts a child process, a browser asks the page for a port. */
export type OpenSandbox = () => Promise<SandboxPort>;

/** The host's end. */
export interface HostPort {
  post(message: unknown, transfer: readonly Transferable[]): void;
  listen(onMessage: (message: unknown) => void): void;
}
