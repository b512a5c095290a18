/** The data of a {@link BanditEnvironment}: plain data that can be sent between threads. */
export interface BanditTable {
  /** [rows][numbers]. */
  readonly features: readonly (readonly number[])[];
  /** The class of each row: integers or text. */
  readonly targets: readonly (number | string)[];
}
