/** Runs a network's program in the reference evaluator. */

import type { Values } from "../../../src/kernels/op.ts";
import { state } from "../../../src/kernels/ops/state.ts";
import { trace } from "../../../src/kernels/program.ts";
import { evaluate } from "../../../src/kernels/reference/evaluate.ts";
import type { Tensors } from "../../../src/rl/agents/agentState.ts";
import { forwardNetwork } from "../../../src/rl/networks/forward.ts";
import type { NetworkData } from "../../../src/rl/networks/networkData.ts";
import { bindNetwork, networkStates } from "../../../src/rl/networks/networkTensors.ts";

/** Outputs in f64 for observations [batch, inputs]; widths come from `bound`, the structure from `data`. */
export function runNetwork(
  data: NetworkData,
  tensors: Tensors,
  observations: Float32Array,
  inputs: number,
  bound = data,
): Values {
  const batch = observations.length / inputs;
  const program = trace("network", () => {
    const x = state("x", [batch, inputs]).read();
    const params = Object.fromEntries(
      Object.entries(networkStates(data, "net")).map(([name, s]) => [name, s.read()]),
    );
    state("y", [batch, data.head.outputs]).write(forwardNetwork(data, params, x));
  });
  const states = new Map<string, Values>([["x", Float64Array.from(observations)]]);
  for (const [name, values] of Object.entries(tensors)) states.set(`net.${name}`, Float64Array.from(values));
  evaluate(program, states, bindNetwork(bound, "net"), { precision: "f64" });
  return states.get("y") as Values;
}
