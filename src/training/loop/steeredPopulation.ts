import { type Evolvable, type Mutations, NO_MUTATION } from "../../evolution/index.ts";
import type { SteeredChange } from "./SteeringScript.ts";

export interface SteeringRound<M> {
  /** Evaluated members, by slot. */
  readonly members: readonly M[];
  /** The same slots after selection and mutation. */
  readonly next: readonly M[];
  readonly actions: readonly SteeredChange[];
  /** Identities of members that must not change. */
  readonly protected: ReadonlySet<number>;
  /** Identity of the best member; `null` if there is none. */
  readonly elite: number | null;
  readonly mutation: Mutations | null;
  /** The generation that ended. */
  readonly generation: number;
}

/**
 * The next generation with the user's changes. A member that an action targets keeps its slot, regardless of
 * selection. If another survivor occupies that slot, the member replaces the last clone instead. Random draws
 * depend only on the mutations' seed, the slot, the generation and the action's position.
 */
export function steeredPopulation<M extends Evolvable<M>>(round: SteeringRound<M>): readonly M[] {
  const { actions } = round;
  const population = new SteeredPopulation(round);
  for (const index of round.protected) population.restore(index);
  for (const [ordinal, action] of actions.entries()) population.apply(action, ordinal);
  return population.next;
}

class SteeredPopulation<M extends Evolvable<M>> {
  readonly next: M[];
  readonly #round: SteeringRound<M>;
  /** Slots that an action has already filled. */
  readonly #taken = new Set<number>();
  /** Identities of the evaluated members, any of which may survive. */
  readonly #old: ReadonlySet<number>;
  #lastIndex: number;

  constructor(round: SteeringRound<M>) {
    this.#round = round;
    this.next = [...round.next];
    this.#old = new Set(round.members.map(({ index }) => index));
    this.#lastIndex = Math.max(...[...round.members, ...round.next].map(({ index }) => index));
  }

  apply(action: SteeredChange, ordinal: number): void {
    switch (action.kind) {
      case "set":
        this.#set(action.index, action.hyperparameter, action.value);
        return;
      case "clone":
        this.#put(action.index, action.over);
        return;
      case "replace":
        if (this.#round.elite !== null) this.#put(this.#round.elite, action.index);
        return;
      case "mutate": {
        const slot = this.#keep(action.index);
        const member = slot === null ? undefined : this.next[slot];
        const { mutation, generation } = this.#round;
        if (slot !== null && member) mutation?.mutateOne(member, action.what, { slot, generation, ordinal });
        return;
      }
      case "protect":
    }
  }

  /** Restores a member to its evaluated state. */
  restore(index: number): void {
    const slot = this.#keep(index);
    const member = this.#member(index);
    if (slot === null || !member) return;
    this.next[slot] = unchanged(member.clone());
  }

  #member(index: number): M | undefined {
    return this.#round.members.find((member) => member.index === index);
  }

  #set(index: number | null, name: string, value: number): void {
    if (index === null) {
      for (const member of this.next) member.setHyperparameter(name, value);
      return;
    }
    const slot = this.#keep(index);
    if (slot !== null) this.next[slot]?.setHyperparameter(name, value);
  }

  /** Replaces a member with a clone of another. */
  #put(index: number, over: number): void {
    const source = this.#member(index);
    const survives = this.next.findIndex((member) => member.index === over);
    const slot = survives >= 0 ? survives : this.#placeOf(over);
    if (!source || slot === null) return;
    this.#lastIndex += 1;
    this.next[slot] = unchanged(source.clone(this.#lastIndex));
    this.#taken.add(slot);
  }

  /** The slot of a member. If selection dropped the member, it is restored first. */
  #keep(index: number): number | null {
    const found = this.next.findIndex((member) => member.index === index);
    const slot = found >= 0 ? found : this.#placeOf(index);
    if (slot === null) return null;
    const member = this.#member(index);
    if (found < 0 && member) this.next[slot] = unchanged(member.clone());
    this.#taken.add(slot);
    return slot;
  }

  /** A member's own slot if a clone occupies it, else the last slot with a clone; `null` if there is none. */
  #placeOf(index: number): number | null {
    const isFree = (slot: number): boolean => {
      const member = this.next[slot];
      return member !== undefined && !this.#taken.has(slot) && !this.#old.has(member.index);
    };
    const own = this.#round.members.findIndex((member) => member.index === index);
    if (own < 0) return null;
    if (isFree(own)) return own;
    const last = this.next.findLastIndex((_, slot) => isFree(slot));
    return last < 0 ? null : last;
  }
}

function unchanged<M extends Evolvable<M>>(member: M): M {
  member.mut = NO_MUTATION;
  return member;
}
