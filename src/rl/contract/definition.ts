/** What every algorithm says of itself: its actions, its networks and parameters, and what trains them. */
import type { Tensor } from "../../kernels/index.ts";
import type { ResolvedNetwork } from "../../specs/index.ts";
import type { NetworkData } from "../networks/networkData.ts";
import type { NetworkState } from "../networks/networkState.ts";
import type { AgentSpaces, Space } from "../spaces/index.ts";
import type { Hyperparameters } from "./hyperparameters.ts";
import type { Networks } from "./networks.ts";
import { requireActions } from "./unsuited.ts";

/** Kinds of action spaces. */
export type ActionKind = Space["kind"];

/** What networks are built from. */
export interface NetworkContext<K extends ActionKind = ActionKind> {
  readonly observation_space: Space;
  readonly action_space: Extract<Space, { readonly kind: K }>;
  readonly network: ResolvedNetwork;
  /** The network of a key of several agents, for what it observes; of a single agent, `network` for all of them. */
  readonly networkFor: (key: string, observed: Space) => ResolvedNetwork;
  readonly hyperparameters: Hyperparameters;
}

/** A tensor that is learnt beside the networks (a temperature, say). */
export interface ParameterData {
  /** Fixed sizes; [] for a single number. */
  readonly shape: readonly number[];
  /** Every element's value at first. */
  readonly init: number;
}

/** A tensor of an agent's own. */
export interface OwnTensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

export interface LastLayer {
  readonly names: readonly string[];
  /** Their first values. */
  readonly fresh: (
    policy: NetworkState,
    hyperparameters: Hyperparameters,
  ) => Readonly<Record<string, OwnTensor>>;
}

export interface OptimizerDefinition<N extends string = string, Q extends string = string> {
  /** Networks that it trains, in order. */
  readonly networks: readonly N[];
  /** Parameters of the algorithm's own that it trains, in order; none unless given. */
  readonly parameters?: readonly Q[];
  /** Hyperparameter that holds the learning rate. */
  readonly lr: string;
  /** Limit of the gradient's norm, for each network by itself: a number, or the hyperparameter that holds it. */
  readonly max_grad_norm?: string | number;
  /**
   * Metric: norm of its gradients before clipping, together with those of other optimisers of the same metric; of several
   * agents, of all keys together. None unless given.
   */
  readonly grad_norm?: string;
}

/** The buffer of a parameter, and its tensor in files. */
export const parameterName = (name: string): string => `parameters.${name}`;

/** Values of an algorithm's own parameters, by name. */
export type ParameterValues<Q extends string = string> = Readonly<Record<Q, Tensor>>;

/** What one learning step gives. */
export interface Learned {
  /** Loss by optimiser. */
  readonly losses: Readonly<Record<string, Tensor>>;
  readonly metrics: Readonly<Record<string, Tensor>>;
  /** Error of each transition [batch], for a memory that samples by priority. */
  readonly priority?: Tensor;
}

/** `count` independent vectors of uniform numbers in [0, 1), one number per lane. */
export type Draws = (count: number) => readonly Tensor[];

/**
 * An algorithm as its file gives it: `Name` in the registry of specs, `K` kinds of actions, `N` names of networks, `P`
 * that of the policy, `Q` names of parameters.
 */
export interface Definition<
  Name extends string,
  K extends ActionKind,
  N extends string,
  P extends N,
  Q extends string,
> {
  /** Name in the registry of specs. */
  readonly name: Name;
  /**
   * Trains several agents, false unless given: its tables name families, and its networks are one of each family for each
   * key, \`<family>.<key>\` (see families.ts and team.ts).
   */
  readonly multi_agent?: boolean;
  /** Spaces of actions that it can act in. */
  readonly actions: readonly K[];
  readonly networks: (context: NetworkContext<K>) => Readonly<Record<N, NetworkData>>;
  /**
   * Tensors that are learnt beside the networks, by name; none unless given. They belong to the agent: copied with it,
   * kept in its file, left alone by mutations, which are of networks and hyperparameters.
   */
  readonly parameters?: (context: NetworkContext<K>) => Readonly<Record<Q, ParameterData>>;
  /** Networks that trail another one, by name. */
  readonly targets: { readonly [T in NoInfer<N>]?: NoInfer<N> };
  /** Networks that use the latent vector of another one's encoder when their own is "shared". */
  readonly sharesEncoder: { readonly [T in NoInfer<N>]?: NoInfer<N> };
  /** The network that acts and whose architecture is mutated first. */
  readonly policy: P;
  readonly optimizers: Readonly<Record<string, OptimizerDefinition<NoInfer<N>, NoInfer<Q>>>>;
  /** Names of the metrics that learn() reports, averaged over learning steps. */
  readonly metrics: readonly string[];
  /**
   * Tensors of the agent's own that belong to the last layer of its policy's head and are not learnt, by name, beside
   * `parameters`: they start anew where a mutation changes the head's layers.
   */
  readonly lastLayer?: LastLayer;
  /** What the policy's network reads and gives, where that is not what the agent observes and chooses. */
  readonly networkSpaces?: (spaces: AgentSpaces) => AgentSpaces;
  /** Whether generations report how often a member chose each action; for Discrete actions of off-policy algorithms. */
  readonly countsActions?: boolean;
  /** Whether another activation keeps the algorithm sound (algorithms.md 2.5). */
  readonly activationMutation: boolean;
  /** Hyperparameters that shape programs instead of being data. */
  readonly structural: readonly string[];
  /** Hyperparameters that are counts. */
  readonly counts: readonly string[];
  /**
   * What greedy actions are chosen by, from the policy's latent vectors [n, latent]: rows of numbers by name, for
   * exported policies; nothing where it is the action itself. Of several agents for each key, its network in the place of
   * the family.
   */
  readonly policyOutputs?: (networks: Networks<P>, latent: Tensor) => Readonly<Record<string, Tensor>>;
}

/** The same for those who know no algorithm by name. */
export interface AlgorithmBase
  extends Omit<
    Definition<string, ActionKind, string, string, string>,
    "networks" | "parameters" | "targets" | "sharesEncoder" | "multi_agent"
  > {
  /** Its tables name families of networks (see families.ts). */
  readonly multi_agent: boolean;
  /** Networks that act and whose architecture is mutated first; of several agents the policy's family until they are known. */
  readonly policies: readonly string[];
  /** @throws SpecError when the spaces do not suit the algorithm. */
  readonly networks: (context: NetworkContext) => Readonly<Record<string, NetworkData>>;
  readonly parameters: (context: NetworkContext) => Readonly<Record<string, ParameterData>>;
  readonly targets: Readonly<Record<string, string>>;
  readonly sharesEncoder: Readonly<Record<string, string>>;
}

/** The parts of a definition that all kinds of algorithms complete in the same way. */
export function completed<K extends ActionKind>(definition: {
  readonly name: string;
  readonly actions: readonly K[];
  readonly networks: (context: NetworkContext<K>) => Readonly<Record<string, NetworkData>>;
  readonly parameters?: (context: NetworkContext<K>) => Readonly<Record<string, ParameterData>>;
  readonly policy: string;
  readonly multi_agent?: boolean;
}): Pick<AlgorithmBase, "networks" | "parameters" | "multi_agent" | "policies"> {
  const { name, actions, networks, parameters, policy, multi_agent = false } = definition;
  const suited = (context: NetworkContext): NetworkContext<K> => {
    requireActions(name, context.action_space, actions);
    // Its actions were just checked.
    return context as unknown as NetworkContext<K>;
  };
  return {
    multi_agent,
    policies: [policy],
    networks: (context) => networks(suited(context)),
    parameters: (context) => parameters?.(suited(context)) ?? {},
  };
}
