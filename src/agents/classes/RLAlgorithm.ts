/** The base class of all agents: a state that can evolve, be copied, and be saved to a file. */
import type { Evolvable, HyperparameterConfig } from "../../evolution/index.ts";
import { algorithmDefinition } from "../../manifests/index.ts";
import { checkSpec } from "../../specs/checks.ts";
import { show } from "../../specs/messages.ts";
import type { HyperparameterChoice } from "../../specs/sections.ts";
import type { AgentState } from "../member/agentState.ts";
import { EvolvableAgent } from "../member/EvolvableAgent.ts";
import { cloneAgent } from "../member/mutateAgent.ts";
import { algorithmOf } from "../member/registry.ts";

type ArchitectureOptions = Parameters<EvolvableAgent["mutateArchitecture"]>[0];
type ParameterOptions = Parameters<EvolvableAgent["mutateParameters"]>[0];
type ActivationOptions = Parameters<EvolvableAgent["mutateActivation"]>[0];

/**
 * Base class of all agents.
 *
 * @example
 * ```ts
 * const agent = await loadAgent("elite.safetensors");
 * console.log(agent instanceof RLAlgorithm, agent.algo, agent.steps);
 * ```
 */
export abstract class RLAlgorithm implements Evolvable<RLAlgorithm> {
  /** The agent as plain data; set it to replace the agent with another one. */
  abstract state: AgentState;
  abstract readonly hp_config: HyperparameterConfig | null;

  /** Name of the algorithm: "DQN", "PPO". */
  get algo(): string {
    return this.state.algorithm;
  }

  /** Identity, unique in a population. */
  get index(): number {
    return this.state.index;
  }

  /** Identity of the agent that it was cloned from; `null` if it was not cloned. */
  get parent(): number | null {
    return this.state.parent;
  }

  /** Label of the last mutation: "None", "param", "act", a hyperparameter, or a method. */
  get mut(): string {
    return this.state.mut;
  }

  set mut(mut: string) {
    this.state = { ...this.state, mut };
  }

  /** Fitness of the last 100 evaluations, oldest first. */
  get fitness(): readonly number[] {
    return this.state.fitness;
  }

  /** Environment steps taken in training; training functions count them, `learn` does not. */
  get steps(): number {
    return this.state.steps;
  }

  set steps(steps: number) {
    this.state = { ...this.state, steps };
  }

  /** Every field of the algorithm's spec, apart from schedules that are constant. */
  get hyperparameters(): AgentState["hyperparameters"] {
    return this.state.hyperparameters;
  }

  /** @throws RangeError for an unknown hyperparameter, or a value that the agent's spec does not allow. */
  setHyperparameter(name: string, value: HyperparameterChoice): void {
    if (!Object.hasOwn(this.hyperparameters, name)) {
      throw new RangeError(
        `hyperparameter "${name}": unknown to ${this.algo}; allowed: ${Object.keys(this.hyperparameters).join(", ")}`,
      );
    }
    requireHyperparameter(this.state, name, value);
    this.#evolve((member) => member.setHyperparameter(name, value));
  }

  mutateArchitecture(options: ArchitectureOptions): string {
    return this.#evolve((member) => member.mutateArchitecture(options));
  }

  mutateParameters(options: ParameterOptions): string {
    return this.#evolve((member) => member.mutateParameters(options));
  }

  mutateActivation(options: ActivationOptions): string {
    return this.#evolve((member) => member.mutateActivation(options));
  }

  /**
   * A deep copy with this agent as its parent. `index`: identity of the copy (default: the same as this
   * agent's).
   */
  abstract clone(index?: number): RLAlgorithm;

  protected clonedState(index = this.index): AgentState {
    return cloneAgent(this.state, index);
  }

  #evolve<T>(change: (member: EvolvableAgent) => T): T {
    const { state, hp_config } = this;
    const member = new EvolvableAgent(state, { algorithm: algorithmOf(state), hp_config });
    const result = change(member);
    if (member.state !== state) this.state = member.state;
    return result;
  }
}

/** @throws RangeError for a value that the spec of the agent's algorithm does not allow. */
function requireHyperparameter(
  { algorithm, hyperparameters }: Pick<AgentState, "algorithm" | "hyperparameters">,
  name: string,
  value: unknown,
): void {
  const place = `hyperparameter "${name}" of ${algorithm}`;
  // A spec replaces undefined with a default; an agent does not.
  if (value === undefined) throw new RangeError(`${place}: found nothing, allowed a number`);
  const { schema } = algorithmDefinition(algorithm);
  const issuesOf = (changes: object) => {
    const result = checkSpec(schema, { name: algorithm, ...hyperparameters, ...changes });
    return result.success ? [] : result.issues;
  };
  const issues = issuesOf({ [name]: value });
  const [first] = issues.filter(({ path }) => path === name);
  if (first) throw new RangeError(`${place}: ${first.message}`);
  // Reports only a field that this change made inconsistent.
  const before = new Set(issuesOf({}).map(({ path }) => path));
  const other = issues.find(({ path }) => !before.has(path));
  if (other)
    throw new RangeError(`${place}: with ${show(value)}, ${other.path} does not fit: ${other.message}`);
}
