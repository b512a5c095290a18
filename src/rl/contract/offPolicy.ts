/** Algorithms that learn from transitions of a memory. */
import type { Tensor } from "../../kernels/index.ts";
import type { NetworkData } from "../networks/networkData.ts";
import type { AgentSpaces, Space } from "../spaces/index.ts";
import {
  type ActionKind,
  type AlgorithmBase,
  completed,
  type Definition,
  type Draws,
  type Learned,
  type ParameterValues,
} from "./definition.ts";
import type { Hyperparameters } from "./hyperparameters.ts";
import type { Networks } from "./networks.ts";

/** What a transition's target is made of. */
export interface Outcome {
  /** Rewards of its steps together, the later ones discounted, [batch]; of several agents [batch, agents]. */
  readonly reward: Tensor;
  readonly next_obs: Tensor;
  /** 1 where the task ended, of the same shape; a time limit is no end. */
  readonly done: Tensor;
  /** Choices that are legal in `next_obs`, [batch, choices]; all of them unless given. */
  readonly next_mask?: Tensor;
  /** What the value of `next_obs` counts for: gamma to the power of the number of steps, [batch]. */
  readonly discount: Tensor;
}

/** A batch of transitions, over as many steps as the memory says. */
export interface Batch extends Outcome {
  /** Network input, [batch, width]. */
  readonly obs: Tensor;
  /** i32 [batch] or f32 [batch, action]. */
  readonly action: Tensor;
  /** Number of each transition in the learning step's batch, u32 [batch]: what random numbers of a row go by. */
  readonly row: Tensor;
  /** The same transitions over a single step, where the memory gives several. */
  readonly one_step?: Outcome;
  /** Importance weights [batch], where the memory samples by priority. */
  readonly weight?: Tensor;
  /** Choices that were legal, [batch, choices]; all of them unless given. */
  readonly mask?: Tensor;
  /** Of several agents: 1 for those that took part in the step, [batch, agents]. */
  readonly present?: Tensor;
}

/** What a policy explores with. */
export interface Exploration {
  readonly epsilon: Tensor;
  readonly draws: Draws;
  /** Whether learning is still being put off (`learning_delay`), bool scalar. */
  readonly waiting: Tensor;
  /** Vector steps of the turn before this one, i32 scalar. */
  readonly step: Tensor;
  /** Which choices are legal: 1 = legal, [lanes, choices]; all of them unless given. */
  readonly mask?: Tensor;
  readonly spaces: AgentSpaces;
}

/** Losses and metrics of a batch, from networks and parameters as they stand. */
export type Learn<N extends string = string, Q extends string = string> = (
  networks: Networks<N>,
  batch: Batch,
  hyperparameters: Hyperparameters,
  parameters: ParameterValues<Q>,
  spaces: AgentSpaces,
) => Learned;

/** A part of learning that does not happen in every step, over the networks as the step left them. */
export interface DelayedLearning<N extends string = string, Q extends string = string> {
  /** Hyperparameter: learning steps from one time to the next. */
  readonly every: string;
  /** What of the algorithm's optimisers and metrics belongs to it. */
  readonly optimizers: readonly string[];
  readonly metrics: readonly string[];
  readonly learn: Learn<N, Q>;
}

/** What one learning step of an agent gave. */
export interface LearnedBatch {
  /** By name, those that the step had. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Error of each transition, where the algorithm has one. */
  readonly priorities: Float32Array | null;
}

/** Off-policy algorithms act and learn with actions as their networks know them. */
interface OffPolicyPart<N extends string, P extends string, Q extends string, R> {
  readonly act: (
    networks: Networks<P>,
    obs: Tensor,
    explore: Exploration,
    hyperparameters: Hyperparameters,
  ) => Tensor;
  /** `mask` as in {@link Exploration}. */
  readonly greedy: (
    networks: Networks<P>,
    obs: Tensor,
    mask: Tensor | undefined,
    spaces: AgentSpaces,
  ) => Tensor;
  /** An action of `act` or `greedy` as the environment takes it; choices are numbered its way unless given. */
  readonly applied?: (networks: Networks<P>, action: Tensor, space: Space) => Tensor;
  /** Of actions that are numbers: between which values they lie, as the policy and the memory know them. */
  readonly actionRange?: (policy: NetworkData) => readonly [least: number, most: number];
  /** Told which lanes' episodes ended (bool [lanes]), to begin their exploration anew. */
  readonly ended?: (done: Tensor, action_space: Space, hyperparameters: Hyperparameters) => void;
  /**
   * A loss for every optimiser that is not delayed. Losses and metrics are means over the batch, which may be learned in
   * slices, whose means are averaged by their size.
   */
  readonly learn: Learn<N, Q>;
  /** Targets move with it, where there is one. */
  readonly delayed?: DelayedLearning<N, Q>;
  /** Acts at random with probability epsilon, which generations report as it stands at their end. */
  readonly epsilonGreedy?: true;
  /** `learn_step` learning steps follow each step, as bandits learn, instead of one each `learn_step` steps. */
  readonly learnsEachStep?: true;
  /** What `agent.learn` gives to its caller. */
  readonly result: (learned: LearnedBatch, hyperparameters: Hyperparameters) => R;
}

/** An off-policy algorithm, for those who know none by name. */
export interface OffPolicyAlgorithm extends AlgorithmBase, OffPolicyPart<string, string, string, unknown> {
  readonly kind: "off_policy";
}

/** What of an off-policy algorithm is in the types of its agents. */
export interface OffPolicyTypes<Name extends string, K extends ActionKind, R> {
  readonly name: Name;
  readonly actions: readonly K[];
  readonly result: (learned: LearnedBatch, hyperparameters: Hyperparameters) => R;
}

/** Completes the definition of an off-policy algorithm; the names in it are checked. */
export function defineOffPolicy<
  const Name extends string,
  const K extends ActionKind,
  N extends string,
  P extends N,
  R,
  Q extends string = never,
>(
  definition: Definition<Name, K, N, P, Q> & OffPolicyPart<NoInfer<N>, NoInfer<P>, NoInfer<Q>, R>,
): OffPolicyAlgorithm & OffPolicyTypes<Name, K, R> {
  const made = { ...definition, ...completed(definition), kind: "off_policy" as const };
  // Whoever runs it reads all networks and parameters by the names that it gave itself.
  return made as unknown as OffPolicyAlgorithm & OffPolicyTypes<Name, K, R>;
}
