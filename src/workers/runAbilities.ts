/** What the workbench can do with a run, which depends on where it trains. Every page asks this and nothing else. */
export interface RunAbilities {
  /** Clone, protect, mutate and set its members while they train. */
  readonly steer: boolean;
  /** Begin another run from its agents and checkpoints. */
  readonly fork: boolean;
  /** Begin the same run again, with the same seed and device. */
  readonly restart: boolean;
  /** Change its name, tags, note and pins, and delete it or its checkpoints. */
  readonly edit: boolean;
  /** Take all of it as one file. */
  readonly export: boolean;
  /** Take a whole checkpoint as a zip. */
  readonly zip_checkpoint: boolean;
  /** Look at the programs that it compiled. */
  readonly kernels: boolean;
}

/** Of a run of this browser. */
export const LOCAL_RUN: RunAbilities = {
  steer: true,
  fork: true,
  restart: true,
  edit: true,
  export: true,
  // All of the run is one file: one of its checkpoints alone is of no use.
  zip_checkpoint: false,
  kernels: true,
};

/** Of a run that a platform trains. Only the editor starts one, since it names project and machines. */
export const PLATFORM_RUN: RunAbilities = {
  steer: false,
  fork: false,
  restart: false,
  edit: false,
  export: false,
  zip_checkpoint: true,
  kernels: false,
};
