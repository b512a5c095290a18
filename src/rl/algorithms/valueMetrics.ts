import { abs, meanAll, mul, sub, type Tensor } from "../../kernels/index.ts";
import { meanOf } from "./keyMetrics.ts";

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
