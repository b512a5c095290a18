/** What an environment is given beside its name: plain data under Gymnasium's names, such as LunarLander's `enable_wind`. */
export type EnvironmentOptions = Readonly<Record<string, unknown>>;

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
