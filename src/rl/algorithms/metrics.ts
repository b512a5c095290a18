/** Metrics that algorithms share. */

import {
  abs,
  add,
  div,
  greater,
  maximum,
  meanAll,
  mul,
  select,
  square,
  sub,
  sumAll,
  type Tensor,
} from "../../kernels/index.ts";
import { metricOf } from "../contract/team.ts";

/** The mean of at least one number. */
export const meanOf = (values: readonly Tensor[]): Tensor => {
  const total = values.reduce((sum, value) => add(sum, value));
  return values.length === 1 ? total : div(total, values.length);
};

/** A metric of each key, such as `actor_loss/listener_0`, and their mean under the metric's own name. */
export const keyMetrics = (metric: string, values: ReadonlyMap<string, Tensor>): Record<string, Tensor> => ({
  ...Object.fromEntries([...values].map(([key, value]) => [metricOf(metric, key), value])),
  [metric]: meanOf([...values.values()]),
});

/** Metrics of all algorithms that learn action values from targets. */
export const VALUE_METRICS = ["q_mean", "td_error"] as const;
export type ValueMetrics = Readonly<Record<(typeof VALUE_METRICS)[number], Tensor>>;

/**
 * `q_mean`, the mean Q(s, a) of a batch, and `td_error`, the mean |Q(s, a) - target|, each averaged over the
 * critics.
 * @param values Q values of each critic, [batch].
 * @param target Target values, [batch].
 * @param weight Weight of each transition, [batch] (default: 1).
 */
export function valueMetrics(values: readonly Tensor[], target: Tensor, weight?: Tensor): ValueMetrics {
  const mean = (x: Tensor) => meanAll(weight ? mul(weight, x) : x);
  return {
    q_mean: meanOf(values.map(mean)),
    td_error: meanOf(values.map((value) => mean(abs(sub(value, target))))),
  };
}

/** Weighted sum of squared distances from the weighted mean. */
function scatter(x: Tensor, weight: Tensor, count: Tensor): Tensor {
  const centred = sub(x, div(sumAll(mul(x, weight)), count));
  return sumAll(mul(square(centred), weight));
}

/**
 * 1 - Var(returns - values) / Var(returns): 1 if values predict returns exactly, 0 if they are no better than
 * the mean of the returns, negative if they are worse. It is 0 if returns do not vary.
 * @param weight 1 for entries that count, otherwise 0; in the shape of both.
 */
export function explainedVariance(values: Tensor, returns: Tensor, weight: Tensor): Tensor {
  const count = maximum(sumAll(weight), 1);
  const total = scatter(returns, weight, count);
  const left = scatter(sub(returns, values), weight, count);
  const varies = greater(total, 0);
  return select(varies, sub(1, div(left, select(varies, total, 1))), 0);
}
