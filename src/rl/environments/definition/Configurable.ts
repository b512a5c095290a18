import type { EnvironmentOptions } from "../face/environmentOptions.ts";

/** What every environment of the registry has, whoever steps it. */
export interface Configurable<Environment> {
  /** The options that make it another one than its name says; none unless given. */
  readonly options?: EnvironmentOptions;
  /**
   * The same environment with options of its own; one without them has none beside the time limit.
   * @throws SpecError naming each option that is unknown or out of range, its id before it.
   */
  readonly withOptions?: (options: EnvironmentOptions) => Environment;
}
