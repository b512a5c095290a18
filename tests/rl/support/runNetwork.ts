/** Runs a network's program in the reference evaluator. */

import { state, type Tensor, type Values } from "../../../src/kernels/functions.ts";
import { trace } from "../../../src/kernels/index.ts";
import { evaluate } from "../../../src/kernels/reference/evaluate.ts";
import { Network } from "../../../src/rl/contract.ts";
import { bindNetwork, type NetworkData, type Tensors } from "../../../src/rl/networks.ts";

/** A network's input [n, width]. */
export interface Rows {
  readonly width: number;
  readonly values: Float32Array;
}

/** The result of `body` in f64, for a network with its structure from `data` and its widths from `bound`. */
export function computeNetwork(
  data: NetworkData,
  tensors: Tensors,
  rows: readonly Rows[],
  body: (network: Network, inputs: readonly Tensor[]) => Tensor,
  bound = data,
): Values {
  const program = trace("network", () => {
    const inputs = rows.map(({ width, values }, i) => state(`x${i}`, [values.length / width, width]).read());
    const result = body(new Network(data, "net", { dims: "net" }), inputs);
    state("y", result.shape).write(result);
  });
  const states = new Map<string, Values>(
    rows.map(({ values }, i): [string, Values] => [`x${i}`, Float64Array.from(values)]),
  );
  for (const [name, values] of Object.entries(tensors)) states.set(`net.${name}`, Float64Array.from(values));
  evaluate(program, states, bindNetwork(bound, "net"), { precision: "f64" });
  return states.get("y") as Values;
}

/** Outputs for observations [batch, inputs]. */
export const runNetwork = (
  data: NetworkData,
  tensors: Tensors,
  observations: Float32Array,
  inputs: number,
  bound = data,
): Values =>
  computeNetwork(
    data,
    tensors,
    [{ width: inputs, values: observations }],
    (network, [x]) => network.forward(x as Tensor),
    bound,
  );
