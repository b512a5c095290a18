/** What a {@link BanditEnvironment} shows and pays for: plain data, which crosses threads. */
export interface BanditTable {
  /** [rows][numbers]. */
  readonly features: readonly (readonly number[])[];
  /** The class of each row: integers or text. */
  readonly targets: readonly (number | string)[];
}
