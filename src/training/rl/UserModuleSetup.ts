import type { EnvironmentOptions } from "../../rl/environments/index.ts";
import type { SpaceJson } from "../../rl/spaces/index.ts";

/** A user's environment as every thread of a run gets it: plain data, of which each makes a sandbox of its own. */
export interface UserModuleSetup {
  /** What messages call it, such as user/balance. */
  readonly name: string;
  /** Of the module as it was written. */
  readonly sha256: string;
  /** What runs: JavaScript. */
  readonly script: string;
  /** The export's name; null for the default one. */
  readonly entrypoint: string | null;
  readonly options: EnvironmentOptions;
  /** Seconds that each answer of a sandbox may take. */
  readonly timeout_s: number;
  /** Of one lane. */
  readonly spaces: { readonly observation: SpaceJson; readonly action: SpaceJson };
}
