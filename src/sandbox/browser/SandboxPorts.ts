/** The ports that a user of a browser sandbox holds. Both can be transferred to another thread. */
export interface SandboxPorts {
  /** Carries calls and replies. */
  readonly calls: MessagePort;
  /**
   * A message sent on it ends the sandbox. A message received on it gives the reason why the sandbox ended.
   */
  readonly control: MessagePort;
}

/** The same ports, for code that transfers them to another thread. */
export interface LentPorts extends SandboxPorts {
  /**
   * Like `control`, but kept by the thread that passes on the others: a terminated
   * thread cannot end its sandboxes.
   */
  readonly owner: MessagePort;
}
