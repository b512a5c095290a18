/** Creates agent classes from the definitions of their algorithms. */
import type { AlgorithmName, DefinitionNamed, SpecInputNamed } from "../../manifests/index.ts";
import type {
  ActionKind,
  EvolutionStrategy,
  EvolutionTypes,
  OffPolicyAlgorithm,
  OffPolicyTypes,
  OnPolicyAlgorithm,
  OnPolicyTypes,
} from "../../rl/contract.ts";
import { loadStored } from "./ActingAgent.ts";
import type { AgentContext, AgentOptions } from "./agentOptions.ts";
import { EvolutionAgent, type EvolutionAgentOf } from "./EvolutionAgent.ts";
import {
  type BatchOptions,
  type EpsilonActingOptions,
  OffPolicyAgent,
  type OffPolicyAgentOf,
  OffPolicyTeam,
  type OffPolicyTeamOf,
} from "./OffPolicyAgent.ts";
import { OnPolicyAgent, type OnPolicyAgentOf, OnPolicyTeam, type OnPolicyTeamOf } from "./OnPolicyAgent.ts";
import type { ActingOptions } from "./SingleAgentAlgorithm.ts";

type OffPolicyDefinition = OffPolicyAlgorithm & OffPolicyTypes<string, ActionKind, unknown>;
type OnPolicyDefinition = OnPolicyAlgorithm & OnPolicyTypes<string, ActionKind>;
type EvolutionDefinition = EvolutionStrategy & EvolutionTypes<string, ActionKind>;
/** A definition that {@link agentClass} makes a class from. */
export type TypedDefinition = OffPolicyDefinition | OnPolicyDefinition | EvolutionDefinition;

/** Whether a switch is on in the specs' definition of an algorithm. */
type Has<Name extends string, Switch extends "epsilon_greedy" | "prioritised"> = Name extends AlgorithmName
  ? DefinitionNamed<Name>[Switch]
  : false;

/** An action, and those of several environments; of either type where there are several kinds of spaces. */
type ActionOf<Kind> = Kind extends "Discrete" ? number : Float32Array;
type ActionsOf<Kind> = Kind extends "Discrete" ? Int32Array | number : Float32Array;

/** The types of an algorithm's agents, derived from its definition. */
interface FaceOf<D extends OffPolicyDefinition> {
  readonly algo: D["name"];
  readonly acting: Has<D["name"], "epsilon_greedy"> extends true ? EpsilonActingOptions : ActingOptions;
  readonly action: ActionOf<D["actions"][number]>;
  readonly actions: ActionsOf<D["actions"][number]>;
  readonly learning: Has<D["name"], "prioritised"> extends true ? [options?: BatchOptions] : [];
  readonly result: ReturnType<D["result"]>;
}

/** An agent of a definition's algorithm. */
export type AgentOf<D extends TypedDefinition> = D["actions"][number] extends "Agents"
  ? TeamOf<D>
  : D extends OffPolicyDefinition
    ? OffPolicyAgentOf<FaceOf<D>>
    : D extends EvolutionDefinition
      ? EvolutionAgentOf<D["name"]>
      : OnPolicyAgentOf<D["name"]>;

type TeamOf<D extends TypedDefinition> = D extends OffPolicyDefinition
  ? OffPolicyTeamOf<D["name"], ReturnType<D["result"]>>
  : OnPolicyTeamOf<D["name"]>;

/** Options of an agent's constructor: fields of its spec, or a whole state. */
export type OptionsOf<D extends TypedDefinition> = AgentOptions<
  D["name"] extends AlgorithmName ? Omit<SpecInputNamed<D["name"]>, "name"> : object
>;

/** A class of agents of type `A`. */
export interface AgentClass<D extends TypedDefinition, A = AgentOf<D>> {
  readonly prototype: A;
  /** @throws SpecError for invalid fields, and for action spaces that the algorithm does not support. */
  new (options: OptionsOf<D>): A;
  /**
   * Loads a saved agent.
   * @throws RangeError when the file has an agent of another algorithm; StorageError from the store.
   */
  load(path: string, context?: Partial<AgentContext>): Promise<A>;
}

type AnyOptions = AgentOptions<object>;

function classOf(definition: TypedDefinition) {
  if (definition.kind === "off_policy") {
    const off: OffPolicyDefinition = definition;
    return off.multi_agent
      ? class extends OffPolicyTeam {
          constructor(options: AnyOptions) {
            super(off, options);
          }
        }
      : class extends OffPolicyAgent {
          constructor(options: AnyOptions) {
            super(off, options);
          }
        };
  }
  const { name } = definition;
  if (definition.kind === "evolution")
    return class extends EvolutionAgent {
      constructor(options: AnyOptions) {
        super(name, options);
      }
    };
  return definition.multi_agent
    ? class extends OnPolicyTeam {
        constructor(options: AnyOptions) {
          super(name, options);
        }
      }
    : class extends OnPolicyAgent {
        constructor(options: AnyOptions) {
          super(name, options);
        }
      };
}

/** The class of an algorithm's agents, named after it. */
export function agentClass<const D extends TypedDefinition, A = AgentOf<D>>(definition: D): AgentClass<D, A> {
  const made = classOf(definition);
  const load = async (path: string, context: Partial<AgentContext> = {}) =>
    new made({ ...(await loadStored(path, context, definition.name)), ...context });
  Object.defineProperty(made, "name", { value: definition.name });
  Object.defineProperty(made, "load", { value: load });
  // The definition's own types are more specific than those of the class.
  return made as unknown as AgentClass<D, A>;
}
