import { add, div, type Tensor } from "../../kernels/index.ts";
import { metricOf } from "../contract/families.ts";

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
