/** Warnings of a run about evolution strategies that found nothing to learn. */
import type { TurnResult } from "../../agents/members.ts";

export class LevelWarnings {
  /** Members that were told of, until they learn again. */
  readonly #said = new Set<number>();

  /** A warning for each member whose copies' returns do not differ, when that begins. */
  of(results: readonly Pick<TurnResult, "agent" | "metrics">[]): readonly string[] {
    return results.flatMap(({ agent: { index }, metrics }) => {
      if (metrics.gradient_norm !== 0) {
        this.#said.delete(index);
        return [];
      }
      if (this.#said.has(index)) return [];
      this.#said.add(index);
      return [
        `agent ${index}: perturbed copies do not differ in their returns, so its weights stay as they are; if it is the best return, training is complete, otherwise raise sigma or perturbations, or let rewards tell copies apart`,
      ];
    });
  }
}
