/** Runs a network's program in the reference evaluator. */

import { state, type Tensor } from "../../../../src/kernels/functions.ts";
import { trace } from "../../../../src/kernels/index.ts";
import { Network } from "../../../../src/rl/contract/network.ts";
import { bindNetwork } from "../../../../src/rl/networks/networkTensors.ts";
import type { NetworkData, Tensors } from "../../../../src/rl/networks.ts";
import { runOnReference } from "../../../kernels/support/run.ts";

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
): readonly number[] {
  const program = trace("network", () => {
    const inputs = rows.map(({ width, values }, i) => state(`x${i}`, [values.length / width, width]).read());
    const result = body(new Network(data, "net", { dims: "net" }), inputs);
    state("y", result.shape).write(result);
  });
  const inputs = rows.map(({ values }, i) => [`x${i}`, values]);
  const weights = Object.entries(tensors).map(([name, values]) => [`net.${name}`, values]);
  return runOnReference(
    program,
    bindNetwork(bound, "net"),
    { ...Object.fromEntries(inputs), ...Object.fromEntries(weights) },
    { precision: "f64" },
  ).y as readonly number[];
}

/** Outputs for observations [batch, inputs]. */
export const runNetwork = (
  data: NetworkData,
  tensors: Tensors,
  observations: Float32Array,
  inputs: number,
  bound = data,
): readonly number[] =>
  computeNetwork(
    data,
    tensors,
    [{ width: inputs, values: observations }],
    (network, [x]) => network.forward(x as Tensor),
    bound,
  );
