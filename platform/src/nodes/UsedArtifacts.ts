/** Tracks which artifacts of an attempt may still be needed. */

/** Generations for which an unreferenced artifact is kept: a machine may still be working on them. */
const STAYS = 2;

export class UsedArtifacts {
  /** Last generation that used each artifact. */
  readonly #last = new Map<string, number>();
  #generation = 0;

  /** @param sha256 Artifact that the current generation uses. */
  use(sha256: string): void {
    this.#last.set(sha256, this.#generation);
  }

  /**
   * Starts a generation.
   * @param named Artifacts that are needed regardless of their age.
   * @returns the artifacts that can be deleted. This object forgets them.
   */
  begin(generation: number, named: ReadonlySet<string>): readonly string[] {
    this.#generation = generation;
    const old = [...this.#last].filter(([sha256, last]) => last + STAYS <= generation && !named.has(sha256));
    const found = old.map(([sha256]) => sha256);
    for (const sha256 of found) this.#last.delete(sha256);
    return found;
  }
}
