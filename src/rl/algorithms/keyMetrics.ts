import { add, div, type Tensor } from "../../kernels/index.ts";
import { metricOf } from "../contract/families.ts";

/** The mean of at least one number. */
export const meanOf = (values: readonly Tensor[]): Tensor =>
  div(
    values.reduce((sum, value) => add(sum, value)),
    values.length,
  );

/** A metric of each key, `actor_loss/listener_0`, and their mean under its own name. */
export const keyMetrics = (metric: string, values: ReadonlyMap<string, Tensor>): Record<string, Tensor> => ({
  ...Object.fromEntries([...values].map(([key, value]) => [metricOf(metric, key), value])),
  [metric]: meanOf([...values.values()]),
});
