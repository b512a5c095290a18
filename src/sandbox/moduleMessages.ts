/** What crosses the port between a thread and the sandbox of a module whose functions it calls. */

/** Loads a module. */
export interface LoadCall {
  readonly call: string;
  /** What messages call the module. */
  readonly name: string;
  /** JavaScript. */
  readonly script: string;
  /** Seconds after which a call that loops is ended, though nobody were there to end the process. */
  readonly limit_s: number;
}

/** A task for the module that was loaded. */
export interface TaskCall {
  /** What messages call it. */
  readonly call: string;
  /** As JSON. */
  readonly task: string;
}

export type ModuleCall = LoadCall | TaskCall;

export type ModuleRequest = ModuleCall & { readonly id: number };
