/**
 * The part of an algorithm's definition that all kinds share: actions, networks, parameters and optimisers.
 */

import type { Tensor } from "../../kernels/index.ts";
import type { AlgorithmDefinition } from "../../specs/algorithms.ts";
import { SpecError } from "../../specs/checks.ts";
import type { NetworkData, NetworkState } from "../networks/networkData.ts";
import type { ResolvedNetwork } from "../sections/resolveNetwork.ts";
import { type AgentSpaces, describeSpace, type Space } from "../spaces.ts";
import type { FieldName, Hyperparameters, HyperparametersOf, NumberName } from "./inputs.ts";
import type { Networks } from "./network.ts";

/**
 * Message about a multi-agent algorithm with a single-agent environment, or the reverse; null if they match.
 * @param environment Name of the environment in the message.
 * @internal
 */
export function agentsProblem(
  { name, multi_agent }: { readonly name: string; readonly multi_agent: boolean },
  space: Space,
  environment: string,
): string | null {
  if (multi_agent === (space.kind === "Agents")) return null;
  return space.kind === "Agents"
    ? `${name} trains a single agent, but ${environment} has several (${space.ids.join(", ")}); choose a multi-agent algorithm or a single-agent environment`
    : `${name} trains several agents, but ${environment} has only one; choose a multi-agent environment or a single-agent algorithm`;
}

/** @throws SpecError when the algorithm does not support the action space. */
function requireActions(algorithm: string, space: Space, kinds: readonly Space["kind"][]): void {
  if (kinds.includes(space.kind)) return;
  const allowed = [kinds.slice(0, -1).join(", "), ...kinds.slice(-1)]
    .filter((part) => part !== "")
    .join(" or ");
  const multi_agent = kinds.includes("Agents");
  throw new SpecError([
    {
      path: "environment.name",
      segments: ["environment", "name"],
      code: "rule",
      message:
        agentsProblem({ name: algorithm, multi_agent }, space, "this environment") ??
        `${algorithm} cannot act in this environment: an action is ${describeSpace(space)}, allowed: ${allowed}; choose another algorithm or environment`,
    },
  ]);
}

/** Kinds of action spaces. */
export type ActionKind = Space["kind"];

/** The inputs from which networks are built. */
export interface NetworkContext<
  K extends ActionKind = ActionKind,
  H extends Hyperparameters = Hyperparameters,
> {
  readonly observation_space: Space;
  readonly action_space: Extract<Space, { readonly kind: K }>;
  readonly network: ResolvedNetwork;
  /** Network settings of a multi-agent key, for its observations; for a single agent always `network`. */
  readonly networkFor: (key: string, observed: Space) => ResolvedNetwork;
  readonly hyperparameters: H;
}

/** A tensor that is learnt besides the networks, such as a temperature. */
export interface ParameterData {
  /** Fixed sizes; [] for a single number. */
  readonly shape: readonly number[];
  /** Initial value of every element. */
  readonly init: number;
}

/** A tensor that belongs to an agent. */
interface OwnTensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

export interface LastLayer {
  readonly names: readonly string[];
  /** Initial values of these tensors. */
  readonly fresh: (
    policy: NetworkState,
    hyperparameters: Hyperparameters,
  ) => Readonly<Record<string, OwnTensor>>;
}

export interface OptimizerDefinition<
  N extends string = string,
  Q extends string = string,
  H extends string = string,
> {
  /** Networks that the optimiser trains, in order. */
  readonly networks: readonly N[];
  /** The algorithm's own parameters that it trains, in order (default: none). */
  readonly parameters?: readonly Q[];
  /** Hyperparameter that holds the learning rate. */
  readonly lr: H;
  /** Hyperparameter that holds the share of each weight that a step takes away, times the rate (default: none). */
  readonly weight_decay?: H;
  /** Maximum norm of each network's gradient: a number, or the name of a hyperparameter. */
  readonly max_grad_norm?: H | number;
  /**
   * Name of the metric for the norm of the gradients before clipping, over all optimisers with the same
   * metric and over all keys of a multi-agent algorithm (default: none).
   */
  readonly grad_norm?: string;
}

/** Name of a parameter's buffer, and of its tensor in files. */
export const parameterName = (name: string): string => `parameters.${name}`;

/** Values of an algorithm's own parameters, by name. */
export type ParameterValues<Q extends string = string> = Readonly<Record<Q, Tensor>>;

/** The result of one learning step. */
export interface Learned {
  /** Loss by optimiser. */
  readonly losses: Readonly<Record<string, Tensor>>;
  readonly metrics: Readonly<Record<string, Tensor>>;
  /** Error of each transition [batch], for a prioritised replay buffer. */
  readonly priority?: Tensor;
}

/** Returns `count` independent vectors of uniform numbers in [0, 1), with one number per lane. */
export type Draws = (count: number) => readonly Tensor[];

/**
 * The definition of an algorithm. `S`: its spec, whose fields are the names of hyperparameters; `K`: kinds of
 * actions; `N`: names of networks; `P`: name of the policy; `Q`: names of parameters.
 */
export interface Definition<
  S extends AlgorithmDefinition,
  K extends ActionKind,
  N extends string,
  P extends N,
  Q extends string,
> {
  /**
   * What the specs know of it: its name, its fields, and whether it trains several agents. The tables of a
   * multi-agent algorithm name families, and it has one network of each family per key, `<family>.<key>` (see
   * families.ts and team.ts).
   */
  readonly spec: S;
  /** Kinds of action spaces that it supports. */
  readonly actions: readonly K[];
  readonly networks: (
    context: NetworkContext<K, HyperparametersOf<NoInfer<S>>>,
  ) => Readonly<Record<N, NetworkData>>;
  /**
   * Tensors that are learnt besides the networks, by name (default: none). They belong to the agent: they are
   * copied with it and saved in its file. Mutations, which change networks and hyperparameters, do not affect
   * them.
   */
  readonly parameters?: (context: NetworkContext<K>) => Readonly<Record<Q, ParameterData>>;
  /** Target networks by name, each with the network that it tracks. */
  readonly targets: { readonly [T in NoInfer<N>]?: NoInfer<N> };
  /** Networks that use the latent vector of another network's encoder if their own encoder is "shared". */
  readonly sharesEncoder: { readonly [T in NoInfer<N>]?: NoInfer<N> };
  /** The network that acts and whose architecture is mutated first. */
  readonly policy: P;
  readonly optimizers: Readonly<
    Record<string, OptimizerDefinition<NoInfer<N>, NoInfer<Q>, NumberName<NoInfer<S>>>>
  >;
  /** Names of the metrics that learn() reports, averaged over learning steps. */
  readonly metrics: readonly string[];
  /**
   * The agent's tensors, besides `parameters`, that belong to the last layer of the policy's head and are not
   * learnt. They are reset when a mutation changes the head's layers.
   */
  readonly lastLayer?: LastLayer;
  /** Spaces of the policy's network, if they differ from the agent's observation and action spaces. */
  readonly networkSpaces?: (spaces: AgentSpaces) => AgentSpaces;
  /** Whether generations report how often a member chose each action; off-policy, Discrete actions only. */
  readonly countsActions?: boolean;
  /** Whether mutations may change activations and leave it sound. */
  readonly activationMutation: boolean;
  /** Hyperparameters that are fixed in programs instead of being their inputs. */
  readonly structural: readonly FieldName<NoInfer<S>>[];
  /** Hyperparameters that are whole numbers in programs, such as `learn_step`. */
  readonly counts: readonly NumberName<NoInfer<S>>[];
  /**
   * The outputs by which greedy actions are chosen, from the policy's latent vectors [n, latent]: rows of
   * numbers by name, for exported policies. Missing if the network outputs the action itself. With several
   * agents it is called for each key, with the key's network under the name of the family.
   */
  readonly policyOutputs?: (networks: Networks<P>, latent: Tensor) => Readonly<Record<string, Tensor>>;
}

/** A definition without specific names, for code that handles any algorithm. */
export interface AlgorithmBase
  extends Omit<
    Definition<AlgorithmDefinition, ActionKind, string, string, string>,
    "networks" | "parameters" | "targets" | "sharesEncoder"
  > {
  readonly name: string;
  /** Whether its tables name families of networks (see families.ts). */
  readonly multi_agent: boolean;
  /** Networks that act and are mutated first; the policy's family while a team's agents are unknown. */
  readonly policies: readonly string[];
  /** @throws SpecError when the spaces do not suit the algorithm. */
  readonly networks: (context: NetworkContext) => Readonly<Record<string, NetworkData>>;
  readonly parameters: (context: NetworkContext) => Readonly<Record<string, ParameterData>>;
  readonly targets: Readonly<Record<string, string>>;
  readonly sharesEncoder: Readonly<Record<string, string>>;
}

/**
 * The members that are derived from a definition in the same way for all kinds of algorithms.
 * @throws TypeError for a definition without a spec, in JavaScript.
 */
export function completed<K extends ActionKind>(definition: {
  readonly spec: AlgorithmDefinition;
  readonly actions: readonly K[];
  readonly networks: (context: NetworkContext<K>) => Readonly<Record<string, NetworkData>>;
  readonly parameters?: (context: NetworkContext<K>) => Readonly<Record<string, ParameterData>>;
  readonly policy: string;
}): Pick<AlgorithmBase, "name" | "networks" | "parameters" | "multi_agent" | "policies"> {
  const { spec, actions, networks, parameters, policy } = definition;
  if (typeof spec?.name !== "string")
    throw new TypeError(
      "algorithm: the definition has no spec, which names it and its fields; give what defineAlgorithm returns",
    );
  const { name, multi_agent } = spec;
  const suited = (context: NetworkContext): NetworkContext<K> => {
    requireActions(name, context.action_space, actions);
    // requireActions just checked the kind of the action space.
    return context as unknown as NetworkContext<K>;
  };
  return {
    name,
    multi_agent,
    policies: [policy],
    networks: (context) => networks(suited(context)),
    parameters: (context) => parameters?.(suited(context)) ?? {},
  };
}
