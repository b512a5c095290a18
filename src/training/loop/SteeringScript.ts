import type { SteeringAction } from "./steering.ts";

/** An action, and the generation at whose end it takes effect. */
export interface SteeringEntry {
  readonly generation: number;
  readonly action: SteeringAction;
}

/** The user's past and pending changes to a run, from which a resumed run can repeat them. */
export class SteeringScript {
  readonly #entries: SteeringEntry[];

  constructor(entries: readonly SteeringEntry[] = []) {
    this.#entries = [...entries];
  }

  add(entry: SteeringEntry): void {
    this.#entries.push(entry);
  }

  /** Actions that take effect at the end of a generation, in the order in which they were added. */
  at(generation: number): readonly SteeringAction[] {
    return this.#entries.filter((entry) => entry.generation === generation).map(({ action }) => action);
  }

  /** Identities of the members protected at the end of a generation. */
  protectedAt(generation: number): ReadonlySet<number> {
    const protectedNow = new Set<number>();
    for (const { action, generation: since } of this.#entries) {
      if (action.kind !== "protect" || since > generation) continue;
      if (action.on) protectedNow.add(action.index);
      else protectedNow.delete(action.index);
    }
    return protectedNow;
  }
}
