import { abs, meanAll, mul, sub, type Tensor } from "../../kernels/index.ts";
import { meanOf } from "./keyMetrics.ts";

/** Metrics of all algorithms that learn action values from targets. */
export const VALUE_METRICS = ["q_mean", "td_error"] as const;
export type ValueMetrics = Readonly<Record<(typeof VALUE_METRICS)[number], Tensor>>;

/**
 * `q_mean`, the mean Q(s, a) of a batch, and `td_error`, the mean |Q(s, a) - target|; of several critics their mean.
 * @param values Of each critic, [batch].
 * @param target [batch].
 * @param weight What each transition counts for, [batch]; 1 unless given.
 */
export function valueMetrics(values: readonly Tensor[], target: Tensor, weight?: Tensor): ValueMetrics {
  const mean = (x: Tensor) => meanAll(weight ? mul(weight, x) : x);
  return {
    q_mean: meanOf(values.map(mean)),
    td_error: meanOf(values.map((value) => mean(abs(sub(value, target))))),
  };
}
