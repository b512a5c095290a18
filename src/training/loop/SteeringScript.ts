import type { SteeringAction } from "./steering.ts";

/** An action with the generation at whose end it acts. */
export interface SteeringEntry {
  readonly generation: number;
  readonly action: SteeringAction;
}

/** What a person changed in a run, and will: all that a resumed run needs to do it again. */
export class SteeringScript {
  readonly #entries: SteeringEntry[];

  constructor(entries: readonly SteeringEntry[] = []) {
    this.#entries = [...entries];
  }

  add(entry: SteeringEntry): void {
    this.#entries.push(entry);
  }

  /** What acts at the end of a generation, in the order in which it was asked for. */
  at(generation: number): readonly SteeringAction[] {
    return this.#entries.filter((entry) => entry.generation === generation).map(({ action }) => action);
  }

  /** Identities of the members that are protected at the end of a generation. */
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
