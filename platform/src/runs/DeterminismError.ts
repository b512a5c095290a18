/** Thrown if something was trained twice with different results. */
export class DeterminismError extends Error {
  /** @param what Name of what was trained twice. */
  constructor(what: string) {
    super(
      `determinism: ${what} was trained twice and its results differ; the machines of this platform do not compute the same bits`,
    );
    this.name = "DeterminismError";
  }
}
