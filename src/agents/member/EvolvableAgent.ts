import { type Evolvable, type HyperparameterConfig, NO_MUTATION } from "../../evolution/members.ts";
import type { HyperparameterChoice } from "../../specs/sections.ts";
import type { AgentState } from "./agentState.ts";
import {
  type AgentMutation,
  cloneAgent,
  mutateActivation,
  mutateArchitecture,
  mutateParameters,
  type NetworkRoles,
} from "./mutateAgent.ts";

/** The properties of an algorithm that evolution needs; its definition has them. */
export interface EvolutionRoles extends NetworkRoles {
  /** Whether activations may mutate; if false, an activation mutation does nothing. */
  readonly activationMutation: boolean;
}

export interface EvolutionOptions {
  readonly algorithm: EvolutionRoles;
  /** Hyperparameters that may mutate; `null` for none. */
  readonly hp_config: HyperparameterConfig | null;
}

/** An agent's state as a member of an evolving population. `state` is replaced, never changed in place. */
export class EvolvableAgent implements Evolvable<EvolvableAgent> {
  readonly options: EvolutionOptions;
  #state: AgentState;

  constructor(state: AgentState, options: EvolutionOptions) {
    this.#state = state;
    this.options = options;
  }

  get state(): AgentState {
    return this.#state;
  }

  get index(): number {
    return this.#state.index;
  }

  get parent(): number | null {
    return this.#state.parent;
  }

  get mut(): string {
    return this.#state.mut;
  }

  set mut(mut: string) {
    this.#state = { ...this.#state, mut };
  }

  get fitness(): readonly number[] {
    return this.#state.fitness;
  }

  get hyperparameters(): AgentState["hyperparameters"] {
    return this.#state.hyperparameters;
  }

  get hp_config(): HyperparameterConfig | null {
    return this.options.hp_config;
  }

  setHyperparameter(name: string, value: HyperparameterChoice): void {
    const hyperparameters = { ...this.#state.hyperparameters, [name]: value };
    this.#state = { ...this.#state, hyperparameters };
  }

  clone(index = this.index): EvolvableAgent {
    return new EvolvableAgent(cloneAgent(this.#state, index), this.options);
  }

  mutateArchitecture(options: Parameters<typeof mutateArchitecture>[2]): string {
    return this.#become(mutateArchitecture(this.#state, this.options.algorithm, options));
  }

  mutateParameters(options: Parameters<typeof mutateParameters>[2]): string {
    return this.#become(mutateParameters(this.#state, this.options.algorithm, options));
  }

  mutateActivation(options: Parameters<typeof mutateActivation>[2]): string {
    if (!this.options.algorithm.activationMutation) return NO_MUTATION;
    return this.#become(mutateActivation(this.#state, this.options.algorithm, options));
  }

  #become({ agent, mut }: AgentMutation): string {
    this.#state = agent;
    return mut;
  }
}
