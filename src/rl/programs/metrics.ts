/** Metrics of learning: where their sums are kept, and how many values each sum has. */
import { add, bitAnd, cast, equal, scan, sqrt, square, state, type Tensor } from "../../kernels/index.ts";
import type { Algorithm } from "../contract/algorithm.ts";
import { counter, LEARNED } from "../contract/inputs.ts";

/** Name of the running sum of a metric. */
export const metricName = (metric: string): string => `metric.${metric}`;

/** Learning steps, like {@link LEARNED}, that is delayed, which does not happen in every step. */
export const LEARNED_DELAYED = "learned_delayed";
/** Roll-outs that were learned from. */
export const LEARNED_ROLLOUTS = "learned_rollouts";

/** Counters that metrics go by. */
export const METRIC_COUNTERS = [LEARNED, LEARNED_DELAYED, LEARNED_ROLLOUTS] as const;
export type MetricCounter = (typeof METRIC_COUNTERS)[number];

/**
 * A metric that needs a pass of its own over all gradients is taken in the first of so many learning steps; in each it
 * would cost 1.5 % (DQN, two layers of 64) to 3.3 % (four with normalisation) of a step. A power of two.
 */
export const SAMPLED_EVERY = 16;

/** What gives a metric its values. */
export interface MetricSource {
  readonly counter: MetricCounter;
  /** How far the counter goes from one value to the next; the first comes at 0. */
  readonly every: number;
}

/** Metrics that an algorithm's programs sum. */
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

/** Names of the metrics that learning gives. */
export const learningMetrics = (algorithm: Algorithm): readonly string[] => [
  ...summedMetrics(algorithm).keys(),
];

/** Names of those that stand at the end of a generation in which members play. */
export const playMetrics = (algorithm: Algorithm): readonly string[] =>
  algorithm.kind === "on_policy" ? [] : [...(algorithm.epsilonGreedy ? ["epsilon"] : []), "replay_fill"];

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

/** Adds a value to a metric's sum in every {@link SAMPLED_EVERY}-th step of a counter that has not counted the step yet. */
export function sampleMetric(metric: string, valueOf: () => Tensor, counted: MetricCounter): void {
  const isDue = equal(bitAnd(counter(counted).read(), SAMPLED_EVERY - 1), 0);
  scan({ count: cast(isDue, "i32"), carry: [] }, () => {
    addToSum(metric, valueOf());
    return { carry: [] };
  });
}

/** The norm of several vectors together, from the norm of each; at least one. */
export const jointNorm = (norms: readonly Tensor[]): Tensor =>
  norms.length === 1 ? (norms[0] as Tensor) : sqrt(norms.map(square).reduce((a, b) => add(a, b)));
