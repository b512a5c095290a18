/** Algorithms that learn from transitions in a replay buffer. */
import type { Tensor } from "../../kernels/index.ts";
import type { AlgorithmDefinition } from "../../specs/algorithms.ts";
import type { NetworkData } from "../networks/networkData.ts";
import type { AgentSpaces, Space } from "../spaces.ts";
import {
  type ActionKind,
  type AlgorithmBase,
  completed,
  type Definition,
  type Draws,
  type Learned,
  type ParameterValues,
} from "./definition.ts";
import type { Hyperparameters, HyperparametersOf, NumberName } from "./inputs.ts";
import type { Networks } from "./network.ts";

/** The parts of a transition from which its target value is computed. */
export interface Outcome {
  /** Discounted sum of the rewards of its steps, [batch]; [batch, agents] for several agents. */
  readonly reward: Tensor;
  readonly next_obs: Tensor;
  /** 1 where the task ended, in the same shape as `reward`; a time limit does not count. */
  readonly done: Tensor;
  /** 1 for choices that are legal in `next_obs`, [batch, choices] (default: all legal). */
  readonly next_mask?: Tensor;
  /** Factor on the value of `next_obs`: gamma to the power of the number of steps, [batch]. */
  readonly discount: Tensor;
}

/** A batch of transitions. The replay buffer determines how many steps each spans. */
export interface Batch extends Outcome {
  /** Network input, [batch, width]. */
  readonly obs: Tensor;
  /** i32 [batch] or f32 [batch, action]. */
  readonly action: Tensor;
  /**
   * Index of each transition in the learning step's batch, u32 [batch]; random numbers of a row depend on it.
   */
  readonly row: Tensor;
  /** The same transitions over a single step, if the replay buffer returns multi-step transitions. */
  readonly one_step?: Outcome;
  /** Importance weights [batch], if the replay buffer samples by priority. */
  readonly weight?: Tensor;
  /** 1 for choices that were legal, [batch, choices] (default: all legal). */
  readonly mask?: Tensor;
  /** Multi-agent only: 1 for agents that took part in the step, [batch, agents]. */
  readonly present?: Tensor;
}

/** The inputs of a policy's exploration. */
export interface Exploration {
  readonly epsilon: Tensor;
  readonly draws: Draws;
  /** Whether learning is still delayed (`learning_delay`), bool scalar. */
  readonly waiting: Tensor;
  /** Number of earlier vector steps in the turn, i32 scalar. */
  readonly step: Tensor;
  /** Whether episodes begin in all lanes with this step, bool scalar. */
  readonly begins: Tensor;
  /** 1 for legal choices, [lanes, choices] (default: all legal). */
  readonly mask?: Tensor;
  readonly spaces: AgentSpaces;
}

/** Losses and metrics of a batch, with the current networks and parameters. */
export type Learn<
  N extends string = string,
  Q extends string = string,
  F extends Hyperparameters = Hyperparameters,
> = (
  networks: Networks<N>,
  batch: Batch,
  hyperparameters: F,
  parameters: ParameterValues<Q>,
  spaces: AgentSpaces,
) => Learned;

/** A part of learning that does not run in every step, with the networks as updated by the step. */
export interface DelayedLearning<
  N extends string = string,
  Q extends string = string,
  H extends string = string,
  F extends Hyperparameters = Hyperparameters,
> {
  /** Hyperparameter that holds the number of learning steps between two runs. */
  readonly every: H;
  /** The algorithm's optimisers and metrics that belong to this part. */
  readonly optimizers: readonly string[];
  readonly metrics: readonly string[];
  readonly learn: Learn<N, Q, F>;
}

/** The result of one learning step of an agent. */
export interface LearnedBatch {
  /** Metrics by name; only those of this step. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Error of each transition; null if the algorithm does not report it. */
  readonly priorities: Float32Array | null;
}

/** The off-policy part of a definition. Actions have the form that the networks use. */
interface OffPolicyPart<
  N extends string,
  P extends string,
  Q extends string,
  R,
  H extends string = string,
  F extends Hyperparameters = Hyperparameters,
> {
  readonly act: (networks: Networks<P>, obs: Tensor, explore: Exploration, hyperparameters: F) => Tensor;
  /** `mask` as in {@link Exploration}. */
  readonly greedy: (
    networks: Networks<P>,
    obs: Tensor,
    mask: Tensor | undefined,
    spaces: AgentSpaces,
  ) => Tensor;
  /** Converts an action of `act` or `greedy` for the environment (default: only renumbers choices). */
  readonly applied?: (networks: Networks<P>, action: Tensor, space: Space) => Tensor;
  /** Range of continuous actions, as the policy and the replay buffer represent them. */
  readonly actionRange?: (policy: NetworkData) => readonly [least: number, most: number];
  /** Called with the lanes whose episodes ended (bool [lanes]), to reset their exploration. */
  readonly ended?: (done: Tensor, action_space: Space, hyperparameters: F) => void;
  /**
   * Returns a loss for every optimiser that is not delayed. Losses and metrics must be means over the batch:
   * a batch may be learnt in slices, whose means are averaged with their sizes as weights.
   */
  readonly learn: Learn<N, Q, F>;
  /** Learning that runs less often. If present, target networks are updated together with it. */
  readonly delayed?: DelayedLearning<N, Q, H, F>;
  /**
   * Runs `learn_step` learning steps after each vector step, as bandits do, instead of one every `learn_step`
   * steps. If the population's transitions count, they are multiplied by these over the member's own.
   */
  readonly learnsEachStep?: true;
  /** The value that `agent.learn` returns. */
  readonly result: (learned: LearnedBatch, hyperparameters: F) => R;
}

/** An off-policy algorithm, for code that handles any algorithm. */
export interface OffPolicyAlgorithm extends AlgorithmBase, OffPolicyPart<string, string, string, unknown> {
  readonly kind: "off_policy";
}

/** The members of an off-policy algorithm that the types of its agents depend on. */
export interface OffPolicyTypes<Name extends string, K extends ActionKind, R> {
  readonly name: Name;
  readonly actions: readonly K[];
  readonly result: (learned: LearnedBatch, hyperparameters: Hyperparameters) => R;
}

/** Completes the definition of an off-policy algorithm; the names in it are checked. */
export function defineOffPolicy<
  const S extends AlgorithmDefinition,
  const K extends ActionKind,
  N extends string,
  P extends N,
  R,
  Q extends string = never,
>(
  definition: Definition<S, K, N, P, Q> &
    OffPolicyPart<
      NoInfer<N>,
      NoInfer<P>,
      NoInfer<Q>,
      R,
      NumberName<NoInfer<S>>,
      HyperparametersOf<NoInfer<S>>
    >,
): OffPolicyAlgorithm & OffPolicyTypes<S["name"], K, R> {
  const made = { ...definition, ...completed(definition), kind: "off_policy" as const };
  // Callers look up networks and parameters by the names in this definition, so the specific types hold.
  return made as unknown as OffPolicyAlgorithm & OffPolicyTypes<S["name"], K, R>;
}

/** Ends of the names of algorithms that fit the values of another one's policies: alone, and beside the data's policy. */
const ENDINGS = { values: ".fqe", behaviour: ".fqe.behaviour" } as const;

/** What is fitted: values, or also the policy of the data, which has chosen their actions. */
export type Fitted = keyof typeof ENDINGS;

export const fittedQName = (evaluated: string, fitted: Fitted = "values"): string =>
  `${evaluated}${ENDINGS[fitted]}`;

/** The algorithm whose policies are evaluated, and how; null for a name of another kind. */
export function evaluatedIn(name: string): { readonly evaluated: string; readonly fitted: Fitted } | null {
  for (const fitted of ["values", "behaviour"] as const) {
    const ending = ENDINGS[fitted];
    if (name.endsWith(ending)) return { evaluated: name.slice(0, -ending.length), fitted };
  }
  return null;
}

/** Hyperparameters of fitting, besides `gamma`, `tau` and `batch_size`. @internal */
export const FITTED_Q_FIELDS = {
  lr: "fqe_lr",
  /** Subtracted from values, so that a network's first outputs are near them. */
  centre: "fqe_centre",
  /** Divides values. */
  scale: "fqe_scale",
} as const;

/** The networks that are fitted. The last one has log-probabilities of choices. */
export const FITTED = { online: "fqe", target: "fqe_target", behaviour: "fqe_behaviour" } as const;

/** What learns the last one. @internal */
export const BEHAVIOUR_OPTIMIZER = "fqe_behaviour_optimizer";

/** Estimates for transitions, in units of their rewards; each is [batch]. */
export interface FittedValues {
  /** Value of the policy's action. */
  readonly value: Tensor;
  /** Temporal-difference error of the transition's action. */
  readonly error: Tensor;
  /** How much likelier the transition's action is for the policy than for that of the data, if that is fitted. */
  readonly ratio?: Tensor;
}

/** Learns Q(s, a) of a policy that stays as it is. */
export interface FittedQAlgorithm extends OffPolicyAlgorithm {
  readonly estimate: (networks: Networks, batch: Batch, spaces: AgentSpaces) => FittedValues;
}
