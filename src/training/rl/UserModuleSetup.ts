import type { EnvironmentOptions } from "../../rl/faces.ts";
import type { SpaceJson } from "../../rl/spaces.ts";

/**
 * A user's environment as sent to every thread of a run: plain data, from which each thread creates its own
 * sandbox.
 */
export interface UserModuleSetup {
  /** Name in messages, such as user/balance. */
  readonly name: string;
  /** SHA-256 of the module's source. */
  readonly sha256: string;
  /** The JavaScript to run. */
  readonly script: string;
  /** Name of the export; null for the default export. */
  readonly entrypoint: string | null;
  readonly options: EnvironmentOptions;
  /** Time limit in seconds for each answer of a sandbox. */
  readonly timeout_s: number;
  /** Spaces of a single lane. */
  readonly spaces: { readonly observation: SpaceJson; readonly action: SpaceJson };
}
