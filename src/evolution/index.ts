/** Select and mutate populations in a loop of your own, of agents or of other members; follow their lineage. */
export { type CopyPlan, copyMoments, copyWeights, planCopy, type TensorCopy } from "./copyPlan.ts";
export { type Evolvable, NO_MUTATION } from "./Evolvable.ts";
export {
  HyperparameterConfig,
  type HyperparameterValue,
  type NumericHyperparameter,
} from "./HyperparameterConfig.ts";
export * from "./lineage.ts";
export { type ChosenMutation, type MutationOptions, Mutations, type MutationsOptions } from "./Mutations.ts";
export { type Exploration, RLParameter, type RLParameterOptions } from "./RLParameter.ts";
export { type DrawKey, Random, subKey } from "./random.ts";
export {
  fitnessOf,
  ranking,
  type SelectionOptions,
  type SelectionResult,
  type SelectionStrategy,
} from "./SelectionStrategy.ts";
export { HalvingSelection, type HalvingSelectionOptions } from "./selection/halving.ts";
export {
  MultiFrequencySelection,
  type MultiFrequencySelectionOptions,
} from "./selection/multiFrequency.ts";
export { TournamentSelection, type TournamentSelectionOptions } from "./selection/tournament.ts";
export { TruncationSelection, type TruncationSelectionOptions } from "./selection/truncation.ts";
export {
  type Init,
  type Segment,
  type TensorSpec,
  tensorDims,
  tensorShape,
  tensorSize,
} from "./tensorSpec.ts";
