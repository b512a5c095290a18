/** What was trained twice had other bits the second time. */
export class DeterminismError extends Error {
  /** @param what Was trained twice. */
  constructor(what: string) {
    super(
      `determinism: ${what} was trained twice and its results differ; the machines of this platform do not compute alike`,
    );
    this.name = "DeterminismError";
  }
}
