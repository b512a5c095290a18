/** Classes of agents, from the definitions of their algorithms. */
import type { AlgorithmName, DefinitionNamed, SpecInputNamed } from "../../specs/index.ts";
import type { ActionKind } from "../contract/definition.ts";
import type { OffPolicyAlgorithm, OffPolicyTypes } from "../contract/offPolicy.ts";
import type { OnPolicyAlgorithm, OnPolicyTypes } from "../contract/onPolicy.ts";
import type { AgentContext, AgentOptions } from "./agentOptions.ts";
import {
  type BatchOptions,
  type EpsilonActingOptions,
  OffPolicyAgent,
  type OffPolicyAgentOf,
} from "./OffPolicyAgent.ts";
import { OnPolicyAgent, type OnPolicyAgentOf } from "./OnPolicyAgent.ts";
import { type ActingOptions, loadStored } from "./SingleAgentAlgorithm.ts";

type OffPolicyDefinition = OffPolicyAlgorithm & OffPolicyTypes<string, ActionKind, unknown>;
type OnPolicyDefinition = OnPolicyAlgorithm & OnPolicyTypes<string, ActionKind>;
/** What {@link agentClass} makes a class from. */
export type TypedDefinition = OffPolicyDefinition | OnPolicyDefinition;

/** Whether the specs' definition of an algorithm has a switch on. */
type Has<Name extends string, Switch extends "epsilon_greedy" | "prioritised"> = Name extends AlgorithmName
  ? DefinitionNamed<Name>[Switch]
  : false;

/** What an algorithm's definition says of the types of its agents. */
interface FaceOf<D extends OffPolicyDefinition> {
  readonly algo: D["name"];
  readonly acting: Has<D["name"], "epsilon_greedy"> extends true ? EpsilonActingOptions : ActingOptions;
  readonly action: D["actions"][number] extends "Discrete" ? number : Float32Array;
  readonly actions: D["actions"][number] extends "Discrete" ? Int32Array | number : Float32Array;
  readonly learning: Has<D["name"], "prioritised"> extends true ? [options?: BatchOptions] : [];
  readonly result: ReturnType<D["result"]>;
}

/** An agent of a definition's algorithm. */
export type AgentOf<D extends TypedDefinition> = D extends OffPolicyDefinition
  ? OffPolicyAgentOf<FaceOf<D>>
  : OnPolicyAgentOf<D["name"]>;

/** Options of its constructor: fields of its spec, or a whole state. */
export type OptionsOf<D extends TypedDefinition> = AgentOptions<
  D["name"] extends AlgorithmName ? Omit<SpecInputNamed<D["name"]>, "name"> : object
>;

/** A class of agents, of the type `A`. */
export interface AgentClass<D extends TypedDefinition, A = AgentOf<D>> {
  readonly prototype: A;
  /** @throws SpecError for invalid fields and for action spaces that the algorithm cannot act in. */
  new (options: OptionsOf<D>): A;
  /** An agent that was saved. @throws RangeError when the file holds another algorithm's; StorageError of the store. */
  load(path: string, context?: Partial<AgentContext>): Promise<A>;
}

function offPolicyClass(definition: OffPolicyDefinition) {
  return class Agent extends OffPolicyAgent {
    constructor(options: AgentOptions<object>) {
      super(definition, options);
    }

    static async load(path: string, context: Partial<AgentContext> = {}): Promise<Agent> {
      return new Agent({ ...(await loadStored(path, context, definition.name)), ...context });
    }

    override clone(index?: number): Agent {
      return new Agent({ ...this.context, state: this.clonedState(index) });
    }
  };
}

function onPolicyClass({ name }: OnPolicyDefinition) {
  return class Agent extends OnPolicyAgent {
    constructor(options: AgentOptions<object>) {
      super(name, options);
    }

    static async load(path: string, context: Partial<AgentContext> = {}): Promise<Agent> {
      return new Agent({ ...(await loadStored(path, context, name)), ...context });
    }

    override clone(index?: number): Agent {
      return new Agent({ ...this.context, state: this.clonedState(index) });
    }
  };
}

/** The class of an algorithm's agents, named after it. */
export function agentClass<const D extends TypedDefinition>(definition: D): AgentClass<D> {
  const made = definition.kind === "off_policy" ? offPolicyClass(definition) : onPolicyClass(definition);
  Object.defineProperty(made, "name", { value: definition.name });
  // The definition's own types say more than those of the kind that the class was made for.
  return made as unknown as AgentClass<D>;
}
