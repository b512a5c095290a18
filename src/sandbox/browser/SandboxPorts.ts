/** What whoever uses a sandbox of a browser holds of it. Both can be handed on to another thread. */
export interface SandboxPorts {
  /** What the sandbox answers on. */
  readonly calls: MessagePort;
  /** A message on it ends the sandbox; it says why one ended. */
  readonly control: MessagePort;
}

/** The same, for whoever hands them on. */
export interface LentPorts extends SandboxPorts {
  /** As `control`, to be kept: a thread that was ended can end no sandbox. */
  readonly owner: MessagePort;
}
