/** Values of the symbols of an agent's programs. */
import type { Binding } from "../../kernels/index.ts";
import { bindNetwork } from "../../rl/networks.ts";
import { networkDims } from "../../rl/programs.ts";
import type { AgentState } from "../member/agentState.ts";
import { algorithmOf } from "../member/registry.ts";

/** Sizes that the agent's own state does not determine. */
export interface Sizes {
  readonly num_envs: number;
  readonly batch: number;
  readonly population?: number;
  readonly capacity?: number;
  readonly priority_fan?: number;
  readonly horizon?: number;
  readonly minibatches?: number;
  readonly sequence?: number;
  readonly sequences?: number;
  readonly stride?: number;
  /** Parts of a minibatch whose gradients are computed side by side. */
  readonly slices?: number;
}

const DEFAULT_SIZES = {
  population: 1,
  capacity: 1,
  priority_fan: 1,
  horizon: 1,
  minibatches: 1,
  sequence: 1,
  sequences: 1,
  stride: 1,
  slices: 1,
};

/** Binds all symbols of an agent's programs. */
export function bindAgent(agent: AgentState, sizes: Sizes): Binding {
  const algorithm = algorithmOf(agent);
  const widths = Object.entries(agent.networks)
    .filter(([name]) => !(name in algorithm.targets))
    .map(([name, { data }]) =>
      bindNetwork(data, data.encoder === "shared" ? networkDims(algorithm, name) : name),
    );
  return Object.assign({ ...DEFAULT_SIZES, ...sizes }, ...widths);
}
