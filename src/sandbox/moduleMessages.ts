/** Messages between a thread and the sandbox of a module whose functions it calls. */

/** Loads a module. */
export interface LoadCall {
  readonly call: string;
  /** Name of the module in messages. */
  readonly name: string;
  /** JavaScript source. */
  readonly script: string;
  /**
   * Time limit of a call in seconds. It stops an endless loop even if no parent is left to end the process.
   */
  readonly limit_s: number;
}

/** A task for the loaded module. */
export interface TaskCall {
  /** Name of the call in messages. */
  readonly call: string;
  /** As JSON. */
  readonly task: string;
}

export type ModuleCall = LoadCall | TaskCall;

export type ModuleRequest = ModuleCall & { readonly id: number };
