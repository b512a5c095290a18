import { type HyperparameterConfig, NO_MUTATION } from "../../evolution/index.ts";
import type { Evolved, Member } from "./Workload.ts";

/** Adapts a member of plain data for evolution; only its hyperparameters mutate. */
export class EvolvedMember<A extends Member> implements Evolved<A> {
  readonly hp_config: HyperparameterConfig | null;
  #state: A;

  constructor(state: A, hp_config: HyperparameterConfig | null) {
    this.#state = state;
    this.hp_config = hp_config;
  }

  get state(): A {
    return this.#state;
  }

  get index(): number {
    return this.#state.index;
  }

  get parent(): number | null {
    return this.#state.parent;
  }

  get fitness(): readonly number[] {
    return this.#state.fitness;
  }

  get hyperparameters(): A["hyperparameters"] {
    return this.#state.hyperparameters;
  }

  get mut(): string {
    return this.#state.mut;
  }

  set mut(mut: string) {
    this.#state = { ...this.#state, mut };
  }

  setHyperparameter(name: string, value: number): void {
    this.#state = { ...this.#state, hyperparameters: { ...this.hyperparameters, [name]: value } };
  }

  clone(index = this.index): EvolvedMember<A> {
    const copy: A = { ...structuredClone(this.#state), index, parent: this.index };
    return new EvolvedMember(copy, this.hp_config);
  }

  mutateArchitecture(): string {
    return NO_MUTATION;
  }

  mutateParameters(): string {
    return NO_MUTATION;
  }

  mutateActivation(): string {
    return NO_MUTATION;
  }
}
