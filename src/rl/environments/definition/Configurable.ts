import type { EnvironmentOptions } from "../face/HostEnvironment.ts";

/** Common fields of all registered environments, compiled or stepped on the host. */
export interface Configurable<Environment> {
  /** The options that the environment was configured with (default: none). */
  readonly options?: EnvironmentOptions;
  /**
   * Returns the environment with other options. Without this method, a compiled environment has no options
   * besides the time limit, and a host environment passes its options to the factory of its instances.
   * @throws SpecError naming the environment's id and each option that is unknown or out of range.
   */
  readonly withOptions?: (options: EnvironmentOptions) => Environment;
}
