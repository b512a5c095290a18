/** Which artifacts of an attempt somebody may still need. */

/** Generations for which an artifact stays that nothing names any more: a machine may still be at them. */
const STAYS = 2;

export class UsedArtifacts {
  /** Generation that used an artifact last. */
  readonly #last = new Map<string, number>();
  #generation = 0;

  /** @param sha256 Is used in the generation that began last. */
  use(sha256: string): void {
    this.#last.set(sha256, this.#generation);
  }

  /**
   * Begins a generation.
   * @param named Artifacts that are needed however old they are.
   * @returns those that nobody needs any more; they are forgotten.
   */
  begin(generation: number, named: ReadonlySet<string>): readonly string[] {
    this.#generation = generation;
    const old = [...this.#last].filter(([sha256, last]) => last + STAYS <= generation && !named.has(sha256));
    const found = old.map(([sha256]) => sha256);
    for (const sha256 of found) this.#last.delete(sha256);
    return found;
  }
}
