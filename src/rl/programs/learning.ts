/** One learning step: gradients of an algorithm's losses, clipping, Adam, targets. */
import { adam, clipByGlobalNorm, polyak, type Update } from "../../kernels/functions/optimizers.ts";
import { add, grad, type State, state, type Tensor } from "../../kernels/index.ts";
import type { Algorithm, Learned, Networks } from "../algorithms/algorithm.ts";
import type { NetworkData } from "../networks/networkData.ts";
import { hyperparameter } from "./inputs.ts";
import { Network } from "./network.ts";

/** What shapes an agent's programs. */
export interface AgentStructure {
  readonly algorithm: Algorithm;
  readonly networks: Readonly<Record<string, NetworkData>>;
  readonly hyperparameters: Readonly<Record<string, number | boolean | string | null>>;
}

/** Prefixes of the symbols that hold a network's widths: a target has those of its online network. */
export function networkDims(
  { targets, sharesEncoder }: Algorithm,
  name: string,
): { dims: string; latent?: string } {
  const dims = targets[name] ?? name;
  const encoderOf = sharesEncoder[dims];
  return encoderOf === undefined ? { dims } : { dims, latent: encoderOf };
}

/** All networks, or the named ones, as they stand at this point of the program. */
export function readNetworks(
  { algorithm, networks }: AgentStructure,
  names = Object.keys(networks),
): Networks {
  return Object.fromEntries(
    names.map((name) => {
      const data = networks[name];
      if (!data)
        throw new RangeError(`agent has no network ${name}; it has ${Object.keys(networks).join(", ")}`);
      const dims = networkDims(algorithm, name);
      return [name, new Network(data, name, data.encoder === "shared" ? dims : { dims: dims.dims })];
    }),
  );
}

/** Name of the running sum of a metric over learning steps. */
export const metricName = (metric: string): string => `metric.${metric}`;
/** Learning steps since the counters were last set to zero. */
export const LEARNED = "learned";

/** Applies the gradients of the losses, moves the targets, and adds the metrics to their sums. */
export function applyLearning(
  structure: AgentStructure,
  networks: Networks,
  { losses, metrics }: Learned,
): void {
  const { algorithm } = structure;
  const stepped = new Map<State, Tensor>();
  for (const [name, definition] of Object.entries(algorithm.optimizers)) {
    const loss = losses[name];
    if (!loss) throw new TypeError(`${algorithm.name}: learn() gave no loss for optimizer ${name}`);
    const updates: Update[] = [];
    const parts = definition.networks.map((network) => parametersOf(networks, network));
    const gradients = grad(
      loss,
      parts.flat().map((p) => p.value),
    );
    let at = 0;
    for (const part of parts) {
      const own = gradients.slice(at, at + part.length);
      at += part.length;
      const clipped = definition.max_grad_norm
        ? clipByGlobalNorm(own, hyperparameter(definition.max_grad_norm))
        : own;
      part.forEach((p, i) => updates.push({ ...p, gradient: clipped[i] as Tensor }));
    }
    const values = adam(name, updates, { lr: hyperparameter(definition.lr) });
    updates.forEach(({ parameter }, i) => stepped.set(parameter, values[i] as Tensor));
  }
  for (const [target, online] of Object.entries(algorithm.targets)) {
    // What the optimiser just made, where it did: the same loop then moves the target.
    const pairs = Object.entries((networks[target] as Network).states).map(([key, s]) => {
      const source = (networks[online] as Network).states[key] as State;
      return { target: s, online: stepped.get(source) ?? source.read() };
    });
    polyak(pairs, hyperparameter("tau"));
  }
  for (const metric of algorithm.metrics) {
    const total = state(metricName(metric));
    total.write(add(total.read(), metrics[metric] as Tensor));
  }
  const learned = state(`counter.${LEARNED}`, [], { dtype: "i32" });
  learned.write(add(learned.read(), 1));
}

function parametersOf(networks: Networks, name: string) {
  const network = networks[name] as Network;
  return Object.entries(network.states).map(([key, parameter]) => ({
    parameter,
    value: network.parameter(key),
  }));
}
