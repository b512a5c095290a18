/** Door: what evolves: tensors of members, copies of weights, fitness, faults of members. */

export { bootstrapInterval } from "./bootstrap.ts";
export { bradleyTerry, type Encounter, expectedPoints, type Ratings } from "./bradleyTerry.ts";
export { type CopyPlan, copyMoments, copyWeights, planCopy } from "./copyPlan.ts";
export { type Evolvable, NO_MUTATION } from "./Evolvable.ts";
export { HyperparameterConfig, startWarnings } from "./HyperparameterConfig.ts";
export { mean } from "./mean.ts";
export { DivergedError, TimeoutError } from "./memberErrors.ts";
export { fitnessError, standardError } from "./nearTies.ts";
export { exponential, geometric, logarithm, power } from "./portableMath.ts";
export { isFitter, withFitness } from "./SelectionStrategy.ts";
export { MOST_DRAWS } from "./selection/tournament.ts";
export * from "./strategyShape.ts";
export * from "./tensorSpec.ts";
