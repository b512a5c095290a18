/** Door: definitions of algorithms, with their fields. */

export { gaussianOf, type Policy, policyOf, type SquashedGaussian } from "./algorithms/actionDistribution.ts";
export * from "./algorithms/all.ts";
export { scaleOf, toBounds, withinBounds } from "./algorithms/boxActions.ts";
export * from "./algorithms/continuousControl.ts";
export { fittedNetwork, fittedQ } from "./algorithms/fittedQ.ts";
export { VALUE_METRICS, type ValueMetrics, valueMetrics } from "./algorithms/metrics.ts";
export { policyGradientShape } from "./algorithms/policyGradientShape.ts";
export { targetValue, valueOf as valueOfChoice } from "./algorithms/qLearning.ts";
