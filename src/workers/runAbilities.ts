/**
 * The actions that the workbench supports for a run, which depend on where it trains. Pages check only this.
 */
export interface RunAbilities {
  /** Clone, protect and mutate its members, and set their hyperparameters, while they train. */
  readonly steer: boolean;
  /** Start another run from its agents and checkpoints. */
  readonly fork: boolean;
  /** Start the same run again, with the same seed and device. */
  readonly restart: boolean;
  /** Change its name, tags, note and pins, and delete it or its checkpoints. */
  readonly edit: boolean;
  /** Download all of it as one file. */
  readonly export: boolean;
  /** Download a whole checkpoint as a zip. */
  readonly zip_checkpoint: boolean;
  /** Show the kernels that it compiled. */
  readonly kernels: boolean;
}

/** Abilities of a run in this browser. */
export const LOCAL_RUN: RunAbilities = {
  steer: true,
  fork: true,
  restart: true,
  edit: true,
  export: true,
  // The export contains the whole run; a single checkpoint is of no use.
  zip_checkpoint: false,
  kernels: true,
};

/**
 * Abilities of a run that a platform trains. Only the editor starts one, because it asks
 * for project and machines.
 */
export const PLATFORM_RUN: RunAbilities = {
  steer: false,
  fork: false,
  restart: false,
  edit: false,
  export: false,
  zip_checkpoint: true,
  kernels: false,
};
