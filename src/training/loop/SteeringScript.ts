import type { ChosenMutation } from "../../evolution/index.ts";

/**
 * A change that a user makes to a population during training. It takes effect at the next generation
 * boundary, after selection and mutation.
 */
export type SteeringAction =
  /** Sets a hyperparameter of a member, or of all members if `index` is null. */
  | {
      readonly kind: "set";
      readonly index: number | null;
      readonly hyperparameter: string;
      readonly value: number;
    }
  /** Replaces member `over` with a clone of member `index`. */
  | { readonly kind: "clone"; readonly index: number; readonly over: number }
  /** Replaces the member with a clone of the elite. */
  | { readonly kind: "replace"; readonly index: number }
  /** Protects the member: it survives selections unchanged until `on: false`. */
  | { readonly kind: "protect"; readonly index: number; readonly on: boolean }
  | { readonly kind: "mutate"; readonly index: number; readonly what: ChosenMutation };

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
