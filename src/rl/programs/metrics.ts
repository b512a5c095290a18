/** Metrics of learning: where their sums are kept, and how many values each sum contains. */
import { add, bitAnd, cast, equal, scan, sqrt, square, state, type Tensor } from "../../kernels/index.ts";
import { counter, LEARNED } from "../contract/inputs.ts";
import type { Algorithm } from "../contract/onPolicy.ts";

/** Name of the running sum of a metric. */
export const metricName = (metric: string): string => `metric.${metric}`;

/** Counts delayed learning steps, which do not happen in every learning step (compare {@link LEARNED}). */
export const LEARNED_DELAYED = "learned_delayed";
/** Counts the rollouts learned from. */
export const LEARNED_ROLLOUTS = "learned_rollouts";

/** Counters that count the values of metrics. */
export const METRIC_COUNTERS = [LEARNED, LEARNED_DELAYED, LEARNED_ROLLOUTS] as const;
export type MetricCounter = (typeof METRIC_COUNTERS)[number];

/**
 * A metric that needs its own pass over all gradients is sampled once in this many learning steps, a power of
 * two. Computing it in every step would cost 1.5 % (DQN, two layers of 64) to 3.3 % (four with normalisation)
 * of a step.
 */
export const SAMPLED_EVERY = 16;

/** When a metric receives values. */
export interface MetricSource {
  readonly counter: MetricCounter;
  /** Counts between two values; the first is taken at count 0. */
  readonly every: number;
}

/** Metrics that an algorithm's programs sum, by name. */
export function summedMetrics(algorithm: Algorithm): ReadonlyMap<string, MetricSource> {
  const delayed = algorithm.kind === "off_policy" ? algorithm.delayed : undefined;
  const rollout = algorithm.kind === "on_policy" ? algorithm.rollout : undefined;
  const stepOf = (isDelayed: boolean | undefined) => (isDelayed ? LEARNED_DELAYED : LEARNED);
  const sources = new Map<string, MetricSource>();
  for (const name of algorithm.metrics)
    sources.set(name, { counter: stepOf(delayed?.metrics.includes(name)), every: 1 });
  for (const [optimizer, { grad_norm, max_grad_norm }] of Object.entries(algorithm.optimizers)) {
    if (grad_norm === undefined) continue;
    const every = max_grad_norm === undefined ? SAMPLED_EVERY : 1;
    sources.set(grad_norm, { counter: stepOf(delayed?.optimizers.includes(optimizer)), every });
  }
  for (const name of rollout?.metrics ?? []) sources.set(name, { counter: LEARNED_ROLLOUTS, every: 1 });
  return sources;
}

/** Names of the metrics that learning computes. */
export const learningMetrics = (algorithm: Algorithm): readonly string[] => [
  ...summedMetrics(algorithm).keys(),
];

/** Names of the metrics of exploration and the replay buffer, as of the end of a generation. */
export const playMetrics = (algorithm: Algorithm): readonly string[] =>
  algorithm.kind === "on_policy"
    ? []
    : [...(algorithm.spec.epsilon_greedy ? ["epsilon"] : []), "replay_fill"];

function addToSum(metric: string, value: Tensor): void {
  const total = state(metricName(metric));
  total.write(add(total.read(), value));
}

/** Adds one value of each metric to the sums, and counts them. */
export function sumMetrics(metrics: Readonly<Record<string, Tensor>>, counted: MetricCounter): void {
  for (const [metric, value] of Object.entries(metrics)) addToSum(metric, value);
  const values = counter(counted);
  values.write(add(values.read(), 1));
}

/**
 * Adds a value to a metric's sum in every {@link SAMPLED_EVERY}-th step. Call it before the counter counts
 * the step.
 */
export function sampleMetric(metric: string, valueOf: () => Tensor, counted: MetricCounter): void {
  const isDue = equal(bitAnd(counter(counted).read(), SAMPLED_EVERY - 1), 0);
  scan({ count: cast(isDue, "i32"), carry: [] }, () => {
    addToSum(metric, valueOf());
    return { carry: [] };
  });
}

/** The joint norm of several vectors, from the norm of each; needs at least one. */
export const jointNorm = (norms: readonly Tensor[]): Tensor =>
  norms.length === 1 ? (norms[0] as Tensor) : sqrt(norms.map(square).reduce((a, b) => add(a, b)));
