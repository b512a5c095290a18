/** What whoever uses a sandbox of a browser holds of it. Both can be handed on to another thread. */
export interface SandboxPorts {
  /** What the sandbox answers on. */
  readonly calls: MessagePort;
  /** A message on it ends the sandbox; it says why one ended. */
  readonly control: MessagePort;
}
