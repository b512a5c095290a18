/** A member whose numbers stopped being numbers. */
export class DivergedError extends Error {
  readonly slot: number;

  /** @param message As it is said where the error was found, which may be another thread. */
  constructor(slot: number, message: string) {
    super(message);
    this.name = "DivergedError";
    this.slot = slot;
  }
}
